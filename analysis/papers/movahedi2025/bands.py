"""Rows of panels: their frame, labels and common legend."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.statistics.over_seeds import seeds_note


def finish(axes: Axes, title: str, xlabel: str, ylabel: str) -> None:
    """Title, labels, light grid."""
    axes.set_title(title)
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)


def seeds_of(table: DataFrame) -> str:
    """How many seeds a panel shows, and what its bands are."""
    return seeds_note(int(table.seed.nunique()))


def panel_row(count: int) -> tuple[Figure, Sequence[Axes]]:
    """A figure with panels side by side that share the vertical axis."""
    figure = Figure(figsize=(3.5 * count + 0.8, 3.6), layout="constrained")
    return figure, figure.subplots(1, count, squeeze=False, sharey=True)[0]


def legend_below(figure: Figure, row: Sequence[Axes]) -> None:
    """One legend for all panels, each name once."""
    names = {
        label: handle
        for axes in row
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(names.values(), names.keys(), loc="outside lower center", ncols=3)
