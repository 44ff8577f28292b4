"""Panels of accuracies over a setting, one per network and data set or kind of labels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.printing.names import cell_name, in_order
from analysis.statistics.over_seeds import band, over_seeds, seeds_note


@dataclass(frozen=True)
class Line:
    """A line of every panel: column `y` of the runs that have the values in `where`."""

    label: str
    colour: Any
    y: str = "test/accuracy"
    where: Mapping[str, object] = field(default_factory=dict)
    dotted: bool = False  # the means alone: two bands of one colour cannot be told apart


def accuracy_panels(
    runs: DataFrame,
    x: str,
    xlabel: str,
    lines: Sequence[Line],
    by: Sequence[str] = ("model", "data"),
    chance: float | None = 0.5,
) -> tuple[Figure, DataFrame]:
    """One panel per group of runs, with bands over seeds; returns the figure and the runs.

    Args:
        runs: of one n, size and recipe in every panel and line.
        x: column on the horizontal axis.
        xlabel: its label.
        lines: of every panel.
        by: columns that define the panels.
        chance: accuracy at which a dotted line is drawn.
    """
    panels = panels_of(runs, by)
    figure = Figure(figsize=(3.5 * len(panels) + 0.8, 3.8), layout="constrained")
    row = figure.subplots(1, len(panels), squeeze=False, sharey=True)[0]
    for axes, (title, part) in zip(row, panels, strict=True):
        for line in lines:
            own = part[(part[list(line.where)] == tuple(line.where.values())).all(axis=1)]
            if own.empty:
                continue
            if line.dotted:
                points = over_seeds(own, [x], line.y)
                axes.plot(points[x], points.y, ":", color=line.colour, lw=1, label=line.label)
            else:
                band(axes, own, x, line.y, color=line.colour, label=line.label, marker="o")
        if chance is not None:
            axes.axhline(chance, color="tab:gray", linestyle=":", linewidth=1)
        axes.set_ylim(top=min(1.02, axes.get_ylim()[1]))
        axes.set(title=f"{title}\n{seeds_of(part)}", xlabel=xlabel)
    row[0].set_ylabel("test accuracy")
    names = {
        label: handle
        for axes in row
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(names.values(), names.keys(), loc="outside lower center", ncols=3)
    return figure, runs


def panels_of(runs: DataFrame, by: Sequence[str]) -> list[tuple[str, DataFrame]]:
    """The runs of every panel with its title, networks in the papers' order."""
    groups = in_order(runs, by).groupby(list(by), sort=False)
    return [(cell_name(names, by), part) for names, part in groups]


def seeds_of(table: DataFrame) -> str:
    """How many seeds a panel shows, and what its bands are."""
    return seeds_note(int(table.seed.nunique()))
