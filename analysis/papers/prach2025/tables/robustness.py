"""Accuracy against robustness."""

from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.papers.prach2025.budgets import STUDY
from analysis.papers.prach2025.experiments import over_sizes
from analysis.papers.prach2025.log_lines import CRA
from analysis.papers.prach2025.tradeoff import by_t
from analysis.published import published

COLUMNS = {
    "test/accuracy": "accuracy",
    "test/smoothed_accuracy": "smoothed accuracy",
    "test/cra_estimate@36": "estimate at 36/255",
    "test/cra@36": "guaranteed at 36/255",
    "test/smoothed_abstained": "abstained",
}


def smoothing(runs: DataFrame) -> DataFrame:
    """One row per network, data set, size of images and n: means over seeds of one budget."""
    mine = over_sizes(runs)
    mine = mine.dropna(subset=["test/cra_estimate@36"])
    if mine.empty:
        raise NotEnoughError("no run of prach2025/data_scaling was certified by smoothing")
    grouped = mine.groupby([*STUDY, "n"])
    table = grouped[list(COLUMNS)].mean().rename(columns=COLUMNS)
    return table.assign(runs=grouped.size()).reset_index()


def tradeoff(runs: DataFrame) -> DataFrame:
    """One row per network, data set and t."""
    table = by_t(runs)
    for name, quantity in (("accuracy", "test/accuracy"), ("cra", f"test/{CRA}")):
        known = published(quantity, "prach2025", item="Table 3").set_index(["data", "level"]).value
        table[f"{name} published"] = [known.get((row.data, row.t)) for row in table.itertuples()]
    return table
