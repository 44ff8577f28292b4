"""Runs with the self-normalising loss, by its t."""

from pandas import DataFrame

from analysis.exhibits import NotEnoughError, need_columns
from analysis.papers.prach2025.experiments import of_experiment
from analysis.papers.prach2025.log_lines import CRA
from analysis.runs.run_row import recipe
from analysis.runs.settings import setting
from analysis.statistics.grid import one_recipe
from analysis.statistics.over_seeds import over_seeds

COLUMNS = {"accuracy": "test/accuracy", "cra": f"test/{CRA}"}
CELL = ["model", "data", "size", "n", "t"]


def tradeoff_runs(runs: DataFrame) -> DataFrame:
    """The runs with a `t`; those that are compared were trained alike but for it."""
    mine = of_experiment(runs, "tradeoff")
    need_columns(mine, COLUMNS.values())
    mine = mine.assign(t=setting(mine, "loss.t")).dropna(subset=["t", *COLUMNS.values()])
    others = [recipe(own | {"loss": own["loss"] | {"t": None}}) for own in mine.settings]
    mine = mine.assign(recipe=others).astype({"t": float})
    return one_recipe(mine, swept=["n", "size"], compared="t")


def by_t(runs: DataFrame) -> DataFrame:
    """Mean of `accuracy` and `cra` with its interval, for every network, data set, n and t."""
    mine = tradeoff_runs(runs)
    if mine.t.nunique() < 2:
        raise NotEnoughError("no network was trained with two values of loss.t")
    return over_seeds(mine, CELL, COLUMNS)
