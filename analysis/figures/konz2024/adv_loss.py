"""FGSM loss penalty against label sharpness, eps = 2/255.

Reading it: the theorem expects fragile networks (a large penalty) on sharply labelled data (a
large K_F). r is over single runs, with its interval over data sets; a pooled r can be a mere
difference between the two domains, which the table of correlations takes apart.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.attacks import penalty_panels

source = "Konz & Mazurowski 2024, Fig. 3"
requires = ("data/k_f", "test/fgsm_loss_penalty@2")
experiment = "konz2024/generalization"


def draw(runs: DataFrame) -> Figure:
    """Loss penalty at eps = 2/255, one panel per network."""
    return penalty_panels(runs, "loss", [2])
