"""Accuracy and certified robust accuracy against epochs, on the same training images.

Reading it: lines that flatten say that more training alone does not do what more images do; a
falling one, that the network overfits. Each point is a run of its own, with its learning rate
cycled once.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.log_lines import CRA, of_experiment, scaling_panels
from analysis.settings import setting

source = "Prach & Lampert 2025, Fig. 5"
requires = ("test/accuracy", f"test/{CRA}")
experiment = "prach2025/compute_scaling"


def draw(runs: DataFrame) -> Figure:
    """Both accuracies of every network."""
    mine = of_experiment(runs, "compute_scaling")
    return scaling_panels(mine.assign(epochs=setting(mine, "epochs")), "epochs", "epochs")
