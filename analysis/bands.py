"""Lines with bands: means over seeds, and how well they are known."""

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from pandas import DataFrame


def summarise(table: DataFrame, x: str, y: str) -> DataFrame:
    """Mean of y at every x, its standard error over rows and their number.

    >>> summarise(DataFrame({"x": [0, 0, 1], "y": [1.0, 3.0, 5.0]}), "x", "y").round(3).values
    array([[0., 2., 1., 2.],
           [1., 5., 0., 1.]])
    """
    grouped = table.groupby(x)[y]
    found = DataFrame({"mean": grouped.mean(), "error": grouped.sem(), "runs": grouped.size()})
    return found.fillna({"error": 0.0}).reset_index()


def band(axes: Axes, table: DataFrame, x: str, y: str, **style: Any) -> None:
    """A line of means with a band of one standard error either side (68 %), where runs repeat.

    Args:
        axes: to draw on.
        table: rows of single runs.
        x: column of the horizontal axis.
        y: column of the vertical axis.
        **style: of the line: color, label, linestyle, marker.
    """
    found = summarise(table.dropna(subset=[x, y]), x, y)
    (line,) = axes.plot(found[x], found["mean"], **{"linewidth": 1.4, "markersize": 4} | style)
    if (found.runs > 1).any():
        low, high = found["mean"] - found["error"], found["mean"] + found["error"]
        axes.fill_between(found[x], low, high, color=line.get_color(), alpha=0.2, linewidth=0)


def finish(axes: Axes, title: str, xlabel: str, ylabel: str) -> None:
    """Title, labels, light grid."""
    axes.set_title(title, fontsize=10)
    axes.set_xlabel(xlabel, fontsize=9)
    axes.set_ylabel(ylabel, fontsize=9)
    axes.tick_params(labelsize=8)
    axes.grid(alpha=0.2, linewidth=0.5)


def seeds_note(table: DataFrame) -> str:
    """How many runs stand behind a line: `3 seeds`.

    >>> seeds_note(DataFrame({"seed": [0, 0, 1]}))
    '2 seeds'
    """
    count = table.seed.nunique()
    return f"{count} seed{'s' * (count > 1)}"


def panel_row(count: int) -> tuple[Figure, Sequence[Axes]]:
    """A figure with panels side by side, of one vertical axis."""
    figure = Figure(figsize=(3.5 * count + 0.8, 3.6), layout="constrained")
    return figure, figure.subplots(1, count, squeeze=False, sharey=True)[0]


def legend_below(figure: Figure, row: Sequence[Axes]) -> None:
    """One legend for all panels, each name once."""
    names = {
        label: handle
        for axes in row
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(
        names.values(), names.keys(), loc="outside lower center", ncols=3, fontsize=8, frameon=False
    )
