"""Velocity of the geometry, over sizes of the data set, at equal numbers of steps.

Reading it: batches grow with the data, so that all trainings take the same number of steps; the
difference between the two data should come back.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.architectures import runs_of
from analysis.geometry_curves import velocity_panels

source = "Movahedi et al. 2025, Fig. 13"
requires = ("geometry/velocity",)
experiment = "movahedi2025/velocity_steps"


def draw(runs: DataFrame) -> Figure:
    """One column per size."""
    return velocity_panels(runs_of(runs, "velocity_steps"), by="n")
