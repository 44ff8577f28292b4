"""One panel per network, one point per (data set, n): the form of most figures of the paper."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, NullLocator
from pandas import DataFrame

from analysis.drawing.point_names import name_point
from analysis.exhibits import NotEnoughError
from analysis.printing.names import DATA, colour, marker, model_name, networks_of, ordered
from analysis.statistics.grid import cells, trained, trained_view
from analysis.statistics.over_seeds import LEAST, bars_of, limits_of, seeds_note

LABELS = {
    "data/d_mle": "$d_{data}$ (MLE)",
    "data/d_twonn": "$d_{data}$ (TwoNN)",
    "train/d_repr_mle": "$d_{repr}$ (MLE)",
    "train/d_repr_twonn": "$d_{repr}$ (TwoNN)",
    "test/loss": "test loss $L$",
    "test/accuracy": "test accuracy",
}
COLUMNS = 3  # panels side by side, as in the paper: ResNets above, VGGs below
ONE_PANEL = 4.8  # width of a figure with one panel a row, in inches


def model_panels(runs: DataFrame, x: str, ys: Sequence[str]) -> tuple[Figure, DataFrame]:
    """`panels_by_model` of the main view, and the runs in it."""
    figure, _, used = panels_by_model(trained_view(runs), x, ys)
    return figure, used


def bound_panels(runs: DataFrame, estimator: str) -> tuple[Figure, DataFrame]:
    """d_repr against d_data by one estimator, with the diagonal that bounds it."""
    x, y = f"data/d_{estimator}", f"train/d_repr_{estimator}"
    figure, axes_of, used = panels_by_model(trained_view(runs), x, [y])
    for axes in axes_of.values():
        both = [*axes.get_xlim(), *axes.get_ylim()]
        ends = min(both), max(both)
        axes.plot(ends, ends, "--", color="grey", linewidth=0.8, zorder=0)
        axes.set(xlim=ends, ylim=ends)
    return figure, used


def panels_by_model(
    runs: DataFrame, x: str, ys: Sequence[str]
) -> tuple[Figure, dict[tuple[str, str], Axes], DataFrame]:
    """Scatter each of `ys` against `x` for every network: means over seeds, with their intervals.

    Losses have a logarithmic axis. Points of one data set are joined from its smallest n (light) to
    its largest (dark); stand-ins are hollow. Returns the figure, its axes by (y, model), and the
    runs in it.
    """
    usable = trained(runs).dropna(subset=[x, *ys])
    if usable.empty:
        raise NotEnoughError(f"no trained run has {x} and {', '.join(ys)} together")
    figure, axes_of = model_grid(ys, networks_of(usable))
    sizes = sorted(usable.n.unique())
    for (y, model), axes in axes_of.items():
        points = cells(usable[usable.model == model], [x, y])
        scatter(axes, points, x, y, sizes)
        axes.set_title(model_name(model))
        axes.set(xlabel=LABELS[x], ylabel=LABELS[y])
    legend(figure, usable, sizes, seeds_note(cells(usable, [x, *ys]).runs))
    return figure, axes_of, usable


def model_grid(
    blocks: Sequence[str], models: Sequence[str]
) -> tuple[Figure, dict[tuple[str, str], Axes]]:
    """A figure with a panel for every block and network; a block has rows of three networks."""
    columns = min(COLUMNS, len(models))
    rows = math.ceil(len(models) / columns)
    size = (ONE_PANEL + 3.6 * (columns - 1), 0.9 + 3.0 * rows * len(blocks))
    figure = Figure(figsize=size, layout="constrained")
    grid = figure.subplots(rows * len(blocks), columns, squeeze=False)
    axes_of: dict[tuple[str, str], Axes] = {}
    for block, lines in zip(blocks, np.split(grid, len(blocks)), strict=True):
        axes_of |= {(block, model): axes for model, axes in zip(models, lines.flat, strict=False)}
        for axes in lines.flat[len(models) :]:
            axes.set_axis_off()
    return figure, axes_of


def scatter(axes: Axes, points: DataFrame, x: str, y: str, sizes: Sequence[int]) -> None:
    """The cells of one network: a joined row of points per data set, named at its largest n."""
    if y.endswith("loss"):
        axes.set_yscale("log", nonpositive="clip")
        axes.yaxis.set_major_formatter("{x:g}")
        axes.yaxis.set_minor_formatter(_sparse)
    for data in ordered(points.data, DATA):
        mine = points[points.data == data].sort_values("n")
        domain, standin = mine.domain.iloc[0], bool(mine.standin.iloc[0])
        shades = [colour(domain, depth(n, sizes)) for n in mine.n]
        faces = ["white"] * len(mine) if standin else shades
        axes.plot(mine[x], mine[y], color=colour(domain, 0.2), linewidth=0.8, zorder=1)
        axes.scatter(mine[x], mine[y], s=20, c=faces, edgecolors=shades, marker=marker(domain))
        if (mine.runs >= LEAST).any():
            bars = bars_of(mine, y, axes.get_yscale()), bars_of(mine, x, axes.get_xscale())
            style: dict[str, Any] = {"fmt": "none", "ecolor": shades, "elinewidth": 0.6}
            axes.errorbar(mine[x], mine[y], *bars, **style)
        name_point(axes, data, domain, mine[x].iloc[-1], mine[y].iloc[-1])
    axes.tick_params(labelsize=8, which="both")
    axes.margins(x=0.12, y=0.1)
    if limits_of(y) == (0, 1):
        axes.set_ylim(top=1.03)
    low, high = axes.get_ylim()
    if axes.get_yscale() == "log" and high < 10 * low:  # may have no tick of a logarithmic axis
        axes.yaxis.set_major_locator(MaxNLocator(5))
        axes.yaxis.set_minor_locator(NullLocator())


def _sparse(value: float, _: float) -> str:
    """Labels of minor ticks at 2 and 5 only; all nine of a decade would run into each other."""
    return f"{value:g}" if f"{value:e}"[0] in "25" else ""


def depth(n: int, sizes: Sequence[int]) -> float:
    """How dark a point is: 0.25 for the smallest n, 1 for the largest, as the legend for one n."""
    return 0.65 if len(sizes) < 2 else 0.25 + 0.75 * list(sizes).index(n) / (len(sizes) - 1)


def legend(figure: Figure, runs: DataFrame, sizes: Sequence[int], note: str = "") -> None:
    """Domains, sizes and what the bars are, below the panels."""
    handles = [
        Line2D([], [], marker=marker(d), color=colour(d), linestyle="", label=d)
        for d in sorted(runs.domain.unique())
    ]
    ends = sorted({sizes[0], sizes[-1]}) if len(sizes) else []
    handles += [
        Line2D([], [], marker="o", color=colour("synthetic", depth(n, sizes)), linestyle="",
               label=f"n = {n}")
        for n in ends
    ]  # fmt: skip
    if note:
        handles.append(Line2D([], [], linestyle="", label=note))
    in_one_row = figure.get_figwidth() > ONE_PANEL
    columns = len(handles) if in_one_row else 3  # domains, sizes, note: one panel is too narrow
    figure.legend(handles=handles, loc="outside lower center", ncols=columns)
