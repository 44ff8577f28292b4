"""What an attack costs, against label sharpness."""

import math
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.drawing.point_names import name_point
from analysis.exhibits import NotEnoughError
from analysis.papers.konz2024.panels import COLUMNS, legend
from analysis.printing.names import DATA, MODELS, colour, marker, model_name, ordered
from analysis.runs.columns import ISIC
from analysis.statistics.grid import need_isic, trained, trained_view
from analysis.statistics.laws import SHARPNESS, correlate
from analysis.statistics.over_seeds import half_width, seeds_note

WORDS = {"loss": "loss penalty", "accuracy": "accuracy penalty"}


def penalty_panels(
    runs: DataFrame, penalty: str, levels: Sequence[int], isic: bool = False
) -> tuple[Figure, DataFrame]:
    """Penalty against K_F for every network, one block of panels per attack size.

    A point is a data set's mean over all n and seeds, with its 95 % interval; line and r are of the
    single runs, without ISIC.

    Args:
        runs: finished runs.
        penalty: `loss` or `accuracy`.
        levels: attack sizes k, eps = k/255; those that were not measured are passed over.
        isic: draw ISIC too.
    """
    columns = {level: f"test/fgsm_{penalty}_penalty@{level}" for level in levels}
    columns = {level: name for level, name in columns.items() if name in runs}
    if isic:
        need_isic(trained(runs))
    view = trained_view(runs, isic)
    usable = view.dropna(subset=[SHARPNESS]).dropna(subset=list(columns.values()), how="all")
    usable = usable if columns else view[:0]
    if usable.empty:
        raise NotEnoughError(f"no trained run has both K_F and an FGSM {penalty} penalty")
    models = ordered(usable.model, MODELS)
    wide = min(COLUMNS, len(models)) if len(columns) == 1 else len(models)
    high = math.ceil(len(models) / wide) * len(columns)
    figure = Figure(figsize=(1.0 + 3.3 * wide, 0.9 + 2.9 * high), layout="constrained")
    grid = figure.subplots(high, wide, squeeze=False)
    for axes in grid.flat[len(models) * len(columns) :]:
        axes.set_axis_off()
    places = iter(grid.flat)
    for level, column in columns.items():
        for model in models:
            axes = next(places)
            _panel(axes, usable[usable.model == model].dropna(subset=[column]), column)
            axes.set_title(f"{model_name(model)}, eps = {level}/255", fontsize=9)
    for axes in grid[:, 0]:
        axes.set_ylabel(WORDS[penalty])
    for axes in grid[-1]:
        axes.set_xlabel("$K_F$, pixels in [0, 255]")
    legend(figure, usable, [], seeds_note(usable.groupby(["model", "data"]).size(), "run"))
    return figure, usable


def _panel(axes: Axes, runs: DataFrame, column: str) -> None:
    for data in ordered(runs.data, DATA):
        mine = runs[runs.data == data]
        domain, standin = mine.domain.iloc[0], bool(mine.standin.iloc[0])
        (x, dx), (y, dy) = _mean(mine, SHARPNESS), _mean(mine, column)
        face = "white" if standin else colour(domain)
        axes.errorbar(x, y, xerr=dx, yerr=dy, fmt=marker(domain), markersize=4.5, elinewidth=0.7,
                      color=colour(domain), markerfacecolor=face)  # fmt: skip
        name_point(axes, data, domain, x, y)
    law = runs[runs.domain != ISIC]
    text = "r needs 3 runs that differ"
    if len(law) >= 3 and law[SHARPNESS].nunique() > 1 and law[column].nunique() > 1:
        slope, level = np.polyfit(law[SHARPNESS], law[column], 1)
        span = np.geomspace(law[SHARPNESS].min(), law[SHARPNESS].max())
        axes.plot(span, level + slope * span, "--", color="grey", linewidth=0.8, zorder=0)
        r = correlate(law, SHARPNESS, column).pooled
        text = f"r = {r.value:.2f}"
        if r.known:
            text += f" ({r.low:.2f} to {r.high:.2f} over data sets)"
    axes.text(0.03, 0.97, text, transform=axes.transAxes, va="top", fontsize=7)
    if runs[SHARPNESS].max() > 10 * runs[SHARPNESS].min() > 0:
        axes.set_xscale("log")  # else all sets but the sharpest fall on one place
    else:
        axes.ticklabel_format(axis="x", style="sci", scilimits=(-3, 3))
        axes.xaxis.offsetText.set_fontsize(7)
    axes.margins(x=0.15, y=0.18)


def _mean(runs: DataFrame, column: str) -> tuple[float, float]:
    """Mean and half width of its 95 % interval; 0 where there are too few runs for one."""
    values = runs[column].astype(float)
    return float(values.mean()), float(np.nan_to_num(half_width(values.std(), len(values))))
