"""Runs with the self-normalising loss, by its t."""

from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.papers.prach2025.log_lines import CRA, of_experiment
from analysis.runs.settings import setting
from analysis.statistics.over_seeds import over_seeds

CELL = ["model", "data", "size", "n", "t"]


def by_t(runs: DataFrame) -> DataFrame:
    """Mean of `accuracy` and `cra` with its interval, for every network, data set, n and t."""
    columns = {"accuracy": "test/accuracy", "cra": f"test/{CRA}"}
    mine = of_experiment(runs, "tradeoff")
    mine = mine.assign(t=setting(mine, "loss.t")).dropna(subset=["t", *columns.values()])
    if mine.t.nunique() < 2:
        raise NotEnoughError("no network was trained with two values of loss.t")
    return over_seeds(mine.astype({"t": float}), CELL, columns)
