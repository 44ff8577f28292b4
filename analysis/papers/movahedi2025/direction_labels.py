"""Runs whose labels are decided along a numbered direction."""

from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.runs.settings import setting

KINDS = {"linear": "tab:blue", "quadratic": "tab:orange", "sinusoidal": "tab:green"}


def with_directions(runs: DataFrame, where: str) -> DataFrame:
    """These runs, with columns `direction` and `kind`, from the settings `task` or `data.law`."""
    direction, kind = setting(runs, f"{where}.direction"), setting(runs, f"{where}.kind")
    numbered = direction.map(lambda value: isinstance(value, int))
    found = runs[numbered].assign(direction=direction[numbered], kind=kind[numbered])
    if found.empty:
        raise NotEnoughError("no run has its labels along a numbered direction")
    return found.astype({"direction": int})
