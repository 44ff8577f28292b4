"""Runs with the self-normalising loss, by its t."""

from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.papers.prach2025.log_lines import CRA
from analysis.runs.settings import setting
from analysis.statistics.over_seeds import over_seeds

CELL = ["model", "data", "n", "t"]


def by_t(runs: DataFrame) -> DataFrame:
    """Mean of both accuracies with its interval, for every network, data set and t.

    Returns:
        model, data, n, t, runs, and accuracy and cra, each with `_low` and `_high`.
    """
    mine = runs.assign(t=setting(runs, "loss.t")).dropna(
        subset=["t", "test/accuracy", f"test/{CRA}"]
    )
    if mine.t.nunique() < 2:
        raise NotEnoughError("no network was trained with two values of loss.t")
    mine = mine.assign(t=mine.t.astype(float))
    tables = [
        over_seeds(mine, CELL, column)
        .drop(columns="half")
        .rename(columns={"mean": name, "low": f"{name}_low", "high": f"{name}_high"})
        for name, column in (("accuracy", "test/accuracy"), ("cra", f"test/{CRA}"))
    ]
    return tables[0].merge(tables[1], on=[*CELL, "runs"]).sort_values(CELL)
