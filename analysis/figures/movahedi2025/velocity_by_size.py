"""Velocity of the geometry, over sizes of the data set.

Reading it: with more data there are more steps, and the difference between the two data should shrink.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.geometry_curves import velocity_panels

source = "Movahedi et al. 2025, Fig. 12"
requires = ("geometry/velocity",)
experiment = "movahedi2025/velocity_sizes"


def draw(runs: DataFrame) -> Figure:
    """One column per size."""
    return velocity_panels(runs, "velocity_sizes", by="n")
