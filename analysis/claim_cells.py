"""Cells of claims from tables of runs: over seeds, or over data sets."""

from collections.abc import Callable, Sequence

from pandas import DataFrame, Series

from analysis.claim import Cell, Center, Evidence
from analysis.exhibits import NotEnoughError
from analysis.printing.names import cell_name
from analysis.statistics.over_seeds import LEAST


def over_seeds_in(
    runs: DataFrame,
    by: Sequence[str],
    statistic: str | Callable[[DataFrame], Series],
    ratio: bool = False,
    center: Center = "mean",
) -> Evidence:
    """A statistic of every seed, in every cell of the runs.

    Args:
        runs: that decide the claim.
        by: columns that define the cells.
        statistic: a column to average; or, of the runs of one cell, values by seed, empty or NaN
            where runs are missing.
        ratio: the values are logarithms, of which exp is shown.
        center: of the values over seeds.
    """
    cells = {}
    for names, part in runs.groupby(list(by), sort=True):
        if isinstance(statistic, str):
            values = part.groupby("seed")[statistic].mean().dropna()
        else:
            values = statistic(part).dropna()
        if len(values):
            cell = Cell.of_seeds(values.tolist(), center)
            cells[cell_name(names, by)] = cell.exp() if ratio else cell
    if not cells:
        raise NotEnoughError(f"no {', '.join(by)} has all the runs that are compared")
    return Evidence(cells, "seed", runs)


def by_level(part: DataFrame, factor: str, value: str) -> DataFrame:
    """Values of one quantity: a row per seed, a column per level of a factor."""
    if value not in part:
        raise NotEnoughError(f"no finished run has {value}")
    return part.pivot_table(index="seed", columns=factor, values=value, aggfunc="mean")


def at_common_levels(table: DataFrame) -> DataFrame:
    """A table of `by_level` at the levels that seeds enough for an interval have.

    A level that was run for the first seeds only neither leaves out the other seeds nor compares
    seeds over other levels. Where no level has seeds enough, all count.
    """
    common = table.count() >= LEAST
    return table.loc[:, common] if common.any() else table


def difference(part: DataFrame, factor: str, value: str, first: object, second: object) -> Series:
    """Value at one level of a factor less that at another, by seed; empty if one is missing."""
    table = by_level(part, factor, value)
    if first not in table or second not in table:
        return Series(dtype=float)
    return table[first] - table[second]


def first_less_last(part: DataFrame, factor: str, value: str) -> Series:
    """Value at the smallest level of a factor less that at the largest, by seed."""
    table = at_common_levels(by_level(part, factor, value))
    if table.shape[1] < 2:
        return Series(dtype=float)
    return table[table.columns.min()] - table[table.columns.max()]
