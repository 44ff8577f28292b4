"""The runs of single experiments of Prach & Lampert 2025."""

from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.papers.prach2025.budgets import largest_budget
from analysis.statistics.grid import one_recipe, trained


def of_experiment(runs: DataFrame, *names: str) -> DataFrame:
    """The runs of these experiments only: others train with other settings."""
    mine = runs[runs.experiment.isin([f"prach2025/{name}" for name in names])]
    if mine.empty:
        raise NotEnoughError(f"no finished run of prach2025/{names[0]}")
    return mine.reset_index(drop=True)


def over_sizes(runs: DataFrame, experiment: str = "data_scaling") -> DataFrame:
    """The networks of an experiment over n: of the largest budget, and of one recipe at every n."""
    networks = trained(of_experiment(runs, experiment))
    return one_recipe(largest_budget(networks), swept=["n", "size"])
