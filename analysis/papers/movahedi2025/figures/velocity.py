"""Velocity of the geometry, over networks and sizes of the data set."""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.papers.movahedi2025.experiments import runs_of, velocity_runs
from analysis.papers.movahedi2025.geometry_curves import velocity_panels
from analysis.runs.settings import setting
from analysis.statistics.grid import one_recipe

SIZES = ["model", "data", "n"]


def velocity_flip(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One column per network and data set."""
    return velocity_panels(velocity_runs(runs), by=["model", "data"])


def velocity_by_size(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One column per size, of the networks that were swept over sizes."""
    runs_of(runs, "velocity_sizes")
    mine = one_recipe(runs_of(runs, "velocity", "velocity_sizes"), swept=["n"])
    swept = mine[mine.groupby(SIZES[:2]).n.transform("nunique") > 1]
    if swept.empty:
        raise NotEnoughError("no network was trained on data of two sizes")
    return velocity_panels(swept, by=SIZES)


def velocity_by_steps(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One column per size."""
    own = runs_of(runs, "velocity_steps")
    # runs of equal settings are one run, so that the smallest size may be filed elsewhere
    mine = runs_of(runs, "velocity_steps", "velocity_sizes", "velocity")
    steps = -(-mine.n // setting(mine, "batch_size", 1).astype(int))
    wanted = set(steps[mine.key.isin(own.key)])
    mine = mine[steps.isin(wanted) & mine.model.isin(own.model)]
    return velocity_panels(one_recipe(mine, swept=["n"]), by=SIZES)
