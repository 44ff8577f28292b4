"""Quantities of data sets against a swept setting, one line per data set."""

from collections.abc import Mapping

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.printing.names import DATA, colour, data_name, marker, ordered
from analysis.statistics.over_seeds import bars_of

STYLES = ["-", "--", ":", "-."]


def lines_by_data(table: DataFrame, x: str, quantities: Mapping[str, str], xlabel: str) -> Figure:
    """One panel per quantity (by label), one line with bars per data set, hollow for stand-ins.

    The table has data, domain, standin, `x`, and each quantity with `_low` and `_high`.
    """
    figure = Figure(figsize=(4.2 * len(quantities) + 1.4, 3.8), layout="constrained")
    grid = figure.subplots(1, len(quantities), squeeze=False)[0]
    ticks = sorted(table[x].unique())
    for axes, (quantity, label) in zip(grid, quantities.items(), strict=True):
        if quantity.startswith("k_f"):  # spans two decades
            axes.set(yscale="log")
        for data in ordered(table.data, DATA):
            mine = table[table.data == data].sort_values(x)
            domain = mine.domain.iloc[0]
            alike = ordered(table.data[table.domain == domain], DATA)
            place = alike.index(data)
            shade = colour(domain, (place + 1) / len(alike))
            axes.errorbar(
                mine[x],
                mine[quantity],
                bars_of(mine, quantity, axes.get_yscale()),
                fmt=marker(domain),
                linestyle=STYLES[place % len(STYLES)],
                color=shade,
                markerfacecolor="white" if mine.standin.any() else shade,
                markersize=4.5,
                linewidth=1,
                capsize=2,
                label=data_name(data),
            )
        axes.set_xscale("log", base=2)
        axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        axes.set_xlabel(xlabel)
        axes.set_ylabel(label)
    names = grid[0].get_legend_handles_labels()
    figure.legend(*names, loc="outside right center", title="bars: 95 % intervals")
    return figure
