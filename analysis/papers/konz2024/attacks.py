"""What an attack costs, against label sharpness."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.papers.konz2024.panels import legend, model_grid, scatter
from analysis.printing.names import model_name, networks_of
from analysis.runs.columns import ISIC
from analysis.statistics.grid import means_within, need_isic, trained, trained_view
from analysis.statistics.laws import SHARPNESS, correlate
from analysis.statistics.over_seeds import over_seeds, seeds_note

POINT = ["model", "data", "domain", "standin"]


def penalty_panels(
    runs: DataFrame, penalty: str, levels: Sequence[int], isic: bool = False
) -> tuple[Figure, DataFrame]:
    """Penalty against K_F for every network, one block of panels per attack size k, eps = k/255.

    A point is a data set's mean over all n and seeds, with its 95 % interval over draws of images;
    line and r are of the single runs, without ISIC. Attack sizes that were not measured are left
    out.
    """
    columns = {f"test/fgsm_{penalty}_penalty@{level}": level for level in levels}
    columns = {name: level for name, level in columns.items() if name in runs}
    if isic:
        need_isic(trained(runs))
    view = trained_view(runs, isic)
    usable = view.dropna(subset=[SHARPNESS]).dropna(subset=list(columns), how="all")
    usable = usable if columns else view[:0]
    if usable.empty:
        raise NotEnoughError(f"no trained run has both K_F and an FGSM {penalty} penalty")
    figure, axes_of = model_grid(list(columns), networks_of(usable))
    for (column, model), axes in axes_of.items():
        _panel(axes, usable[usable.model == model].dropna(subset=[column]), column)
        axes.set_title(f"{model_name(model)}, eps = {columns[column]}/255", fontsize=9)
        axes.set(xlabel="$K_F$, pixels in [0, 255]", ylabel=f"{penalty} penalty")
    draws = means_within(usable, POINT, [SHARPNESS]).groupby(POINT).size()
    legend(figure, usable, [], seeds_note(draws, "draw"))
    return figure, usable


def _panel(axes: Axes, runs: DataFrame, column: str) -> None:
    if runs[SHARPNESS].max() > 10 * runs[SHARPNESS].min() > 0:
        axes.set_xscale("log")  # else all sets but the sharpest fall on one place
    else:
        axes.ticklabel_format(axis="x", style="sci", scilimits=(-3, 3))
        axes.xaxis.offsetText.set_fontsize(7)
    means = {SHARPNESS: SHARPNESS, column: column}
    points = over_seeds(means_within(runs, POINT, list(means)), POINT, means)
    scatter(axes, points.assign(n=0), SHARPNESS, column, [0])
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
    axes.margins(x=0.15, y=0.18)
