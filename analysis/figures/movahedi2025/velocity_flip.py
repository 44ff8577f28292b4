"""Velocity of the geometry on data along G_F and against it.

Reading it: on data that varies where G_F is weak (red) the geometry should hardly move and random
labels be fitted slowly; for an MLP, whose G_F is a multiple of I, the two data are one. Velocity is
1 - Corr(G^t, G^{t-1}) per epoch; a flat line near 0 means a geometry that stands still. Bands are
95 % intervals over seeds.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.architectures import runs_of
from analysis.geometry_curves import velocity_panels

source = "Movahedi et al. 2025, Fig. 3"
requires = ("geometry/velocity",)
experiment = "movahedi2025/velocity"


def draw(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One column per network.

    Runs of equal settings are one run, so that some may be filed under velocity_sizes.
    """
    mine = runs_of(runs, "velocity", "velocity_sizes")
    smallest = mine.groupby("model").n.transform("min")
    return velocity_panels(mine[mine.n == smallest], by="model")
