"""FGSM accuracy penalty against label sharpness.

Reading it: as for the loss; one row per attack size. Accuracy cannot fall below 0, so the penalty
saturates on sets that lose everything at small eps.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.attacks import penalty_panels

source = "Konz & Mazurowski 2024, Figs. 24 to 27"
requires = ("data/k_f", "test/accuracy")
experiment = "konz2024/generalization"


def draw(runs: DataFrame) -> Figure:
    """Accuracy penalty at eps = 1, 2, 4 and 8/255."""
    return penalty_panels(runs, "accuracy", [1, 2, 4, 8])
