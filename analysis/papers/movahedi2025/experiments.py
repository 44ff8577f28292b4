"""The runs of single experiments of Movahedi et al. 2025."""

from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.runs.of_experiments import of_experiments
from analysis.runs.settings import setting
from analysis.statistics.grid import one_recipe

FIGURE_3 = 10_000  # examples


def runs_of(runs: DataFrame, *experiments: str) -> DataFrame:
    """The runs of these experiments of the paper, networks only."""
    networks = runs[runs.model != "none"]
    return of_experiments(networks, [f"movahedi2025/{name}" for name in experiments])


def velocity_runs(runs: DataFrame) -> DataFrame:
    """Of every network and data set the runs nearest to Fig. 3: one n, at most the paper's; `flip`.

    Larger n are those of Fig. 12, where the paper finds that what Fig. 3 shows vanishes. Runs of
    equal settings are one run, so that some of Fig. 3 may be filed under velocity_sizes.
    """
    mine = runs_of(runs, "velocity", "velocity_sizes")
    mine = mine[mine.n <= FIGURE_3]
    if mine.empty:
        raise NotEnoughError(f"no run of movahedi2025/velocity has {FIGURE_3:,} examples or fewer")
    flip = setting(mine, "data.law.flip", default=False).astype(bool)
    return one_recipe(mine.assign(flip=flip), compared="flip")
