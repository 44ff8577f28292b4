"""Panels of accuracies over a setting, one per network or kind of labels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.papers.movahedi2025.direction_labels import KINDS
from analysis.printing.names import model_name, networks_of, ordered
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
    by: str = "model",
    chance: float | None = 0.5,
) -> tuple[Figure, DataFrame]:
    """One panel per value of `by`, with bands over seeds; returns the figure and the runs.

    A dotted line is drawn at the accuracy of `chance`.
    """
    models = ", ".join(map(model_name, networks_of(runs)))
    values = networks_of(runs) if by == "model" else ordered(runs[by], KINDS)
    figure = Figure(figsize=(3.5 * len(values) + 0.8, 3.6), layout="constrained")
    row = figure.subplots(1, len(values), squeeze=False, sharey=True)[0]
    for axes, value in zip(row, values, strict=True):
        part = runs[runs[by] == value]
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
        name = model_name(value) if by == "model" else f"{value}: {models}"
        axes.set(title=f"{name} ({seeds_of(part)})", xlabel=xlabel)
    row[0].set_ylabel("test accuracy")
    names = {
        label: handle
        for axes in row
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(names.values(), names.keys(), loc="outside lower center", ncols=3)
    return figure, runs


def seeds_of(table: DataFrame) -> str:
    """How many seeds a panel shows, and what its bands are."""
    return seeds_note(int(table.seed.nunique()))
