"""Correlation of the average geometry with the data, under random labels.

Reading it: as for true labels. That it rises here too shows that the first motion of the geometry
is set by images and architecture, not by what there is to learn.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.geometry_curves import correlation_panels

source = "Movahedi et al. 2025, Fig. 8"
requires = ("geometry/corr_s", "geometry/corr_gsg")
experiment = "movahedi2025/random_labels"


def draw(runs: DataFrame) -> Figure:
    """Random labels."""
    return correlation_panels(runs, "random_labels")
