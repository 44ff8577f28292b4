"""Velocity of the geometry, over sizes of the data set.

Reading it: with more data there are more steps, and the difference between the two data should
shrink.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.architectures import runs_of
from analysis.exhibits import NotEnoughError
from analysis.geometry_curves import velocity_panels

source = "Movahedi et al. 2025, Fig. 12"
requires = ("geometry/velocity",)
experiment = "movahedi2025/velocity_sizes"


def draw(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One column per size, of the network that was swept over sizes."""
    runs_of(runs, "velocity_sizes")
    mine = runs_of(runs, "velocity", "velocity_sizes")
    swept = mine[mine.groupby("model").n.transform("nunique") > 1]
    if swept.empty:
        raise NotEnoughError("no network was trained on data of two sizes")
    return velocity_panels(swept, by="n")
