"""Velocity of the geometry, over sizes of the data set, at equal numbers of steps.

Reading it: batches grow with the data, so that all trainings take the same number of steps; the
difference between the two data should come back.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.architectures import runs_of
from analysis.geometry_curves import velocity_panels
from analysis.settings import setting

source = "Movahedi et al. 2025, Fig. 13"
requires = ("geometry/velocity",)
experiment = "movahedi2025/velocity_steps"


def draw(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One column per size."""
    own = runs_of(runs, "velocity_steps")
    # runs of equal settings are one run, so that the smallest size may be filed elsewhere
    mine = runs_of(runs, "velocity_steps", "velocity_sizes", "velocity")
    steps = -(-mine.n // setting(mine, "batch_size", 1).astype(int))
    wanted = set(steps[mine.key.isin(own.key)])
    return velocity_panels(mine[steps.isin(wanted) & mine.model.isin(own.model)], by="n")
