"""Runs on a numbered direction: an eigenvector of a geometry."""

from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.runs.settings import setting

KINDS = {"linear": "tab:blue", "quadratic": "tab:orange", "sinusoidal": "tab:green"}


def with_directions(runs: DataFrame, name: str) -> DataFrame:
    """The runs whose setting `name` is a number, with it as the column `direction`.

    Numbers are counted from the strongest direction: -1, the weakest, is the last.
    """
    direction = setting(runs, name)
    numbered = direction.map(lambda value: isinstance(value, int))
    found = runs[numbered].reset_index(drop=True)
    if found.empty:
        raise NotEnoughError(f"no run has a numbered direction {name}")
    numbers = direction[numbered].astype(int).to_numpy()
    return found.assign(direction=numbers % (found.channels * found["size"] ** 2).astype(int))


def with_labels(runs: DataFrame, where: str) -> DataFrame:
    """The runs with labels along a direction, and their `kind`: settings `task` or `data.law`."""
    found = with_directions(runs, f"{where}.direction")
    return found.assign(kind=setting(found, f"{where}.kind"))
