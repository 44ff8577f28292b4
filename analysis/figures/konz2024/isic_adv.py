"""FGSM loss penalty against label sharpness, with ISIC.

Reading it: as the figure without ISIC, which is drawn as triangles and left out of line and r.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.attacks import penalty_panels
from analysis.grid import need_isic, trained

source = "Konz & Mazurowski 2024, Fig. 11"
requires = ("data/k_f", "test/fgsm_loss_penalty@2")
experiment = "konz2024/isic"


def draw(runs: DataFrame) -> Figure:
    """Loss penalty at eps = 2/255 with ISIC on it."""
    need_isic(trained(runs))
    return penalty_panels(runs, "loss", [2], isic=True)
