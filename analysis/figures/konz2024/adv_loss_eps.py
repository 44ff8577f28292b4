"""FGSM loss penalty against label sharpness, other attack sizes.

Reading it: as for eps = 2/255; one row per attack size. The claim should not depend on it.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.attacks import penalty_panels

source = "Konz & Mazurowski 2024, Figs. 21 to 23"
requires = ("data/k_f", "test/loss")
experiment = "konz2024/generalization"


def draw(runs: DataFrame) -> Figure:
    """Loss penalty at eps = 1, 4 and 8/255."""
    return penalty_panels(runs, "loss", [1, 4, 8])
