"""Accuracy and certified robust accuracy against the number of training images.

Reading it: every training set is seen as often in total, so a line shows what images add, not
compute. The paper finds both to grow about linearly in log n (dotted), certified accuracy far
below accuracy, on CIFAR-10 and MNIST: a doubling of the data buys a constant number of points.
SimpleConvNet is certified by randomised smoothing, on some of the test images.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.log_lines import CRA, of_experiment, scaling_panels

source = "Prach & Lampert 2025, Figs. 1 and 2"
requires = ("test/accuracy", f"test/{CRA}")
experiment = "prach2025/data_scaling"


def draw(runs: DataFrame) -> Figure:
    """Both accuracies of every network."""
    return scaling_panels(of_experiment(runs, "data_scaling"), "n", "training images n", law=True)
