"""Test accuracy against the direction that decides the labels (Figs. 4, 10, 11, 14)."""

from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.papers.movahedi2025.architectures import networks_of
from analysis.papers.movahedi2025.bands import finish, legend_below, panel_row, seeds_of
from analysis.printing.names import model_name
from analysis.runs.settings import setting
from analysis.statistics.over_seeds import band

KINDS = {"linear": "tab:blue", "quadratic": "tab:orange", "sinusoidal": "tab:green"}


def with_directions(runs: DataFrame, where: str) -> DataFrame:
    """The runs whose labels are along a numbered direction: columns `direction` and `kind`.

    Args:
        runs: rows of the tidy table.
        where: `task` or `data.law`: what decides the labels.
    """
    direction, kind = setting(runs, f"{where}.direction"), setting(runs, f"{where}.kind")
    numbered = direction.map(lambda value: isinstance(value, int))
    found = runs[numbered].assign(direction=direction[numbered], kind=kind[numbered])
    if found.empty:
        raise NotEnoughError("no run has its labels along a numbered direction")
    return found.astype({"direction": int})


def panels_by_network(runs: DataFrame, xlabel: str) -> tuple[Figure, DataFrame]:
    """One panel per network, one line per kind of boundary; training accuracy dotted."""
    models = networks_of(runs)
    figure, row = panel_row(len(models))
    for axes, model in zip(row, models, strict=True):
        part = runs[runs.model == model]
        for kind, colour in KINDS.items():
            some = part[part.kind == kind]
            if len(some):
                style = {"color": colour, "label": kind, "marker": "o"}
                band(axes, some, "direction", "test/accuracy", **style)
                band(
                    axes, some, "direction", "train/accuracy", color=colour, linestyle=":",
                    linewidth=1, label=f"{kind}, train",
                )  # fmt: skip
        _finish(axes, f"{model_name(model)} ({seeds_of(part)})", xlabel)
    legend_below(figure, row)
    return figure, runs


def panels_by_kind(runs: DataFrame, by: str, label: str, xlabel: str) -> tuple[Figure, DataFrame]:
    """One panel per kind of boundary, one line per value of a column."""
    kinds = [kind for kind in KINDS if (runs.kind == kind).any()]
    values = sorted(runs[by].unique(), reverse=True)
    figure, row = panel_row(len(kinds))
    for axes, kind in zip(row, kinds, strict=True):
        part = runs[runs.kind == kind]
        for place, value in enumerate(values):
            shade = colormaps["viridis"](place / max(len(values), 2))
            number = f"{value:g}" if isinstance(value, float | int) else str(value)
            style = {"color": shade, "marker": "o", "label": f"{label} {number}".strip()}
            band(axes, part[part[by] == value], "direction", "test/accuracy", **style)
        models = ", ".join(model_name(model) for model in networks_of(part))
        _finish(axes, f"{kind}: {models} ({seeds_of(part)})", xlabel)
    legend_below(figure, row)
    return figure, runs


def _finish(axes: Axes, title: str, xlabel: str) -> None:
    axes.axhline(0.5, color="tab:gray", linestyle=":", linewidth=1)
    axes.set_ylim(0.4, 1.02)
    finish(axes, title, xlabel, "accuracy")
