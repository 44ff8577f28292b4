"""Correlation of the average geometry with the data, through training.

Reading it: the geometry G^t starts at G_F and turns to what the data is, seen through the
architecture: Corr with G_F S G_F (blue) should rise early and lie above Corr with S alone (orange);
for an MLP, whose G_F is a multiple of I, the two coincide. Dotted: the paper's chance level,
1/sqrt(D). Bands are one standard error over seeds.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.geometry_curves import correlation_panels

source = "Movahedi et al. 2025, Fig. 2"
requires = ("geometry/corr_s", "geometry/corr_gsg")
experiment = "movahedi2025/evolution"


def draw(runs: DataFrame) -> Figure:
    """True labels."""
    return correlation_panels(runs, "evolution")
