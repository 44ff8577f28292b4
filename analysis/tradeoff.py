"""Runs with the self-normalising loss, by its t."""

from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.log_lines import CRA
from analysis.settings import setting

CELL = ["model", "data", "n", "t"]


def by_t(runs: DataFrame) -> DataFrame:
    """Mean and deviation of both accuracies for every network, data set and t.

    Returns:
        model, data, n, t, accuracy, accuracy_sd, cra, cra_sd, runs.
    """
    mine = runs.assign(t=setting(runs, "loss.t")).dropna(
        subset=["t", "test/accuracy", f"test/{CRA}"]
    )
    if mine.t.nunique() < 2:
        raise NotEnoughError("no network was trained with two values of loss.t")
    grouped = mine.assign(t=mine.t.astype(float)).groupby(CELL)
    columns = {"accuracy": "test/accuracy", "cra": f"test/{CRA}"}
    table = {name: grouped[column].mean() for name, column in columns.items()}
    table |= {f"{name}_sd": grouped[column].std().fillna(0) for name, column in columns.items()}
    return DataFrame(table).assign(runs=grouped.size()).reset_index().sort_values(CELL)
