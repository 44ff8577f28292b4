"""Cells of claims from tables of runs: over seeds, or over data sets."""

from collections.abc import Callable, Sequence

from pandas import DataFrame, Series

from analysis.claim import Cell, Center, Evidence
from analysis.exhibits import NotEnoughError
from analysis.printing.names import DATA, data_name, model_name
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
    return part.pivot_table(index="seed", columns=factor, values=value, aggfunc="mean")


def difference(part: DataFrame, factor: str, value: str, first: object, second: object) -> Series:
    """Value at one level of a factor less that at another, by seed; empty if one is missing."""
    table = by_level(part, factor, value)
    if first not in table or second not in table:
        return Series(dtype=float)
    return table[first] - table[second]


def first_less_last(part: DataFrame, factor: str, value: str) -> Series:
    """Value at the smallest level of a factor less that at the largest, by seed."""
    table = by_level(part, factor, value)
    if table.shape[1] < 2:
        return Series(dtype=float)
    return table[table.columns.min()] - table[table.columns.max()]


def one_recipe(runs: DataFrame) -> DataFrame:
    """Of every network and data set the runs of one n, size and recipe: the largest n and size.

    These are nearest to the published ones. Runs with too few seeds for an interval count only if
    there are no others. Of several recipes that with the most runs is taken. No result enters the
    choice.
    """
    cell = ["model", "data"]
    chosen = [*cell, "n", "size", "recipe"]
    found = runs.groupby(chosen, dropna=False).seed.agg(count="size", seeds="nunique")
    found = found.reset_index().assign(enough=lambda table: table.seeds >= LEAST)
    best = found.sort_values(["enough", "n", "size", "count"]).drop_duplicates(cell, keep="last")
    return runs.merge(best[chosen], on=chosen).reset_index(drop=True)


def cell_name(names: object, by: Sequence[str] = ()) -> str:
    """The printed name of a cell; `by` are the columns of `names`.

    >>> cell_name(("lenet", "cifar10", 0.5)), cell_name(("lenet", "my_cells"), ("model", "data"))
    ('LeNet, CIFAR-10, 0.5', 'LeNet, my cells')
    >>> cell_name(("lenet", 50000), ("model", "n"))
    'LeNet, n = 50,000'
    """
    parts = names if isinstance(names, tuple) else (names,)
    columns = [*by, *[""] * (len(parts) - len(by))]
    return ", ".join(map(_part_name, parts, columns))


def _part_name(part: object, column: str) -> str:
    if not isinstance(part, str):
        return f"n = {part:,}" if column == "n" else f"{part:g}"
    return data_name(part) if column == "data" else DATA.get(part, model_name(part))
