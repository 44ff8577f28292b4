"""The runs of single experiments of Prach & Lampert 2025."""

from pandas import DataFrame

from analysis.papers.prach2025.budgets import largest_budget
from analysis.runs.of_experiments import of_experiments
from analysis.statistics.grid import one_recipe, trained


def of_experiment(runs: DataFrame, *names: str) -> DataFrame:
    """The runs of these experiments only: others train with other settings."""
    return of_experiments(runs, [f"prach2025/{name}" for name in names])


def over_sizes(runs: DataFrame, experiment: str = "data_scaling") -> DataFrame:
    """The networks of an experiment over n: of the largest budget, and of one recipe at every n."""
    networks = trained(of_experiment(runs, experiment))
    return one_recipe(largest_budget(networks), swept=["n", "size"])
