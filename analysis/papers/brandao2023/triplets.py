"""Triplets of the paper: left mode, right mode, probability plot; a column of them per epoch."""

import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.papers.brandao2023.spectra import (
    Moment,
    first_middle_last,
    first_seeds,
    level_name,
    moments,
    of_kind,
)
from analysis.printing.names import data_name, model_name
from metrics.functional.fit_lognormal import LognormalFit
from metrics.functional.probability_plot import order_medians

COLOURS = {"left": "tab:orange", "right": "tab:blue", "": "tab:blue"}
DOTS = 300  # of a mode in a probability plot: more cannot be distinguished
WIDTH, HEIGHT = 5.4, 1.6  # inches of a triplet
MARGIN, TOP = 1.2, 0.6  # inches at the left and above


def triplets(runs: DataFrame, kind: str, mnist: bool = False) -> tuple[Figure, DataFrame]:
    """One row per network and level of noise, one triplet per epoch: first, middle and last.

    Args:
        runs: the tidy table.
        kind: of noise.
        mnist: MNIST alone, or everything but MNIST: the paper's appendix and its main text.

    Raises:
        NotEnoughError: If there are no such runs, or none kept its spectra.
    """
    runs = of_kind(runs, kind)
    runs = runs[(runs.data == "mnist") == mnist]
    if runs.empty:
        where = "MNIST" if mnist else "anything but MNIST"
        raise NotEnoughError(f"no network with spectra was trained on {where} under {kind}")
    rows = [(run, first_middle_last(moments(run))) for _, run in first_seeds(runs).iterrows()]
    rows = [(run, found) for run, found in rows if found]
    if not rows:
        raise NotEnoughError("no run kept its singular values at an epoch after the first")
    columns = max(len(found) for _, found in rows)
    size = (MARGIN + WIDTH * columns, TOP + HEIGHT * len(rows))
    figure = Figure(figsize=size)
    grid = figure.add_gridspec(
        len(rows), columns, left=MARGIN / size[0], right=0.995, top=1 - TOP / size[1],
        bottom=0.36 / size[1], wspace=0.08, hspace=0.42,
    )  # fmt: skip
    for i, (run, found) in enumerate(rows):
        for j, moment in enumerate(found):
            cell = grid[i, j].subgridspec(1, 3, wspace=0.28, width_ratios=(1, 1, 1.15))
            left, right, plot = (figure.add_subplot(cell[k]) for k in range(3))
            draw_triplet(moment, left, right, plot)
            right.set_title(
                f"{moment.title}, E[log \u03c3] = {moment.spectrum.mean:.3f}", fontsize=7.5, pad=4
            )
            if j == 0:
                name = f"{model_name(run.model)}\n{data_name(run.data)}\n"
                left.annotate(
                    name + level_name(run.kind, run.level), (-0.12, 0.5), ha="right", va="center",
                    xycoords="axes fraction", fontsize=8,
                )  # fmt: skip
            if i == len(rows) - 1:
                for axes, text in ((left, "log \u03c3"), (right, "log \u03c3"), (plot, "quantile")):
                    axes.set_xlabel(text, fontsize=7, labelpad=1)
    return figure, DataFrame([run for run, _ in rows])


def draw_triplet(moment: Moment, left: Axes, right: Axes, plot: Axes) -> None:
    """The two modes with their lognormal laws, and both in one probability plot with R^2."""
    fits, modes = moment.fits, moment.spectrum.split.modes
    for axes, names in ((left, ("left",)), (right, ("right", ""))):
        for mode in names:
            if mode in modes:
                draw_mode(axes, modes[mode].numpy(), mode, fits)
        axes.set_yticks([])
        axes.tick_params(labelsize=6, length=2, pad=1)
    if "left" not in modes:
        left.set_xticks([])
        left.text(0.5, 0.5, "one mode only", ha="center", transform=left.transAxes, fontsize=7)
    lines = []
    for mode, fit in fits.items():
        values = modes[mode]
        quantiles = torch.special.ndtri(order_medians(len(values)))
        few = torch.linspace(0, len(values) - 1, min(len(values), DOTS)).long()
        plot.plot(quantiles[few], values[few], ".", ms=2, color=COLOURS[mode], alpha=0.6)
        ends = quantiles[[0, -1]]
        plot.plot(ends, fit.mu + fit.s * ends, color="black", lw=0.7)
        lines.append(f"{mode} R\u00b2 = {fit.r_squared:.3f}".strip())
    plot.text(0.03, 0.97, "\n".join(lines), va="top", transform=plot.transAxes, fontsize=6.5)
    plot.margins(y=0.3)
    plot.tick_params(labelsize=6, length=2, pad=1)


def draw_mode(axes: Axes, logs: np.ndarray, mode: str, fits: dict[str, LognormalFit]) -> None:
    """Histogram of one mode, with its law where there is one."""
    # one patch is drawn sooner than 40 bars
    axes.hist(logs, bins=40, density=True, histtype="stepfilled", color=COLOURS[mode], alpha=0.45)
    if mode in fits:
        x = np.linspace(logs.min(), logs.max(), 200)
        z = (x - fits[mode].mu) / fits[mode].s
        axes.plot(x, np.exp(-0.5 * z**2) / (fits[mode].s * np.sqrt(2 * np.pi)), "k", lw=0.9)
