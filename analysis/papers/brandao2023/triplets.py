"""Triplets of the paper: left mode, right mode, probability plot; a row per epoch."""

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
WIDTH, HEIGHT = 7.6, 1.7  # inches: of the figure, of a triplet


def triplets(runs: DataFrame, kind: str, mnist: bool = False) -> tuple[Figure, DataFrame]:
    """One row for every network, level of noise and epoch: first, middle and last.

    With `mnist` the runs on MNIST, else all others: the paper's appendix and its main text.
    """
    runs = of_kind(runs, kind)
    runs = runs[(runs.data == "mnist") == mnist]
    if runs.empty:
        where = "MNIST" if mnist else "anything but MNIST"
        raise NotEnoughError(f"no network with spectra was trained on {where} under {kind}")
    chosen = first_seeds(runs)
    rows = [
        (run, moment) for _, run in chosen.iterrows() for moment in first_middle_last(moments(run))
    ]
    if not rows:
        raise NotEnoughError("no run kept its singular values at an epoch after the first")
    height = HEIGHT * len(rows) + 0.6
    figure = Figure(figsize=(WIDTH, height))
    # fixed places: a layout engine would take longer than drawing
    edges = {"left": 0.17, "right": 0.99, "bottom": 0.4 / height, "top": 1 - 0.45 / height}
    grid = figure.subplots(
        len(rows), 3, squeeze=False, gridspec_kw=edges | {"wspace": 0.25, "hspace": 0.55}
    )
    for line, (run, moment) in zip(grid, rows, strict=True):
        draw_triplet(moment, *line)
        numbers = f"{moment.title}, E[log \u03c3] = {moment.spectrum.mean:.3f}"
        line[1].set_title(numbers, fontsize=8, pad=4)
        name = f"{model_name(run.model)}\n{data_name(run.data)}\n"
        line[0].set_ylabel(name + level_name(run.kind, run.level), rotation=0, ha="right",
                           va="center", fontsize=8)  # fmt: skip
        line[2].set_ylabel("log \u03c3", fontsize=8, labelpad=0)
    for axes, text in zip(grid[-1], ("log \u03c3", "log \u03c3", "normal quantile"), strict=True):
        axes.set_xlabel(text, fontsize=8)
    kept = {run.key for run, _ in rows}
    return figure, chosen[chosen.key.isin(kept)]


def draw_triplet(moment: Moment, left: Axes, right: Axes, plot: Axes) -> None:
    """The two modes with their lognormal laws, and both in one probability plot with R^2."""
    fits, modes = moment.fits, moment.spectrum.split.modes
    for axes, names in ((left, ("left",)), (right, ("right", ""))):
        for mode in names:
            if mode in modes:
                draw_mode(axes, modes[mode].numpy(), mode, fits)
        axes.set_yticks([])
        axes.locator_params(axis="x", nbins=4)
        axes.tick_params(labelsize=7, length=2, pad=1)
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
    plot.text(0.03, 0.97, "\n".join(lines), va="top", transform=plot.transAxes, fontsize=7)
    plot.margins(y=0.3)
    plot.tick_params(labelsize=7, length=2, pad=1)


def draw_mode(axes: Axes, logs: np.ndarray, mode: str, fits: dict[str, LognormalFit]) -> None:
    """Histogram of one mode, with its law where there is one."""
    # one patch is drawn sooner than 40 bars
    axes.hist(logs, bins=40, density=True, histtype="stepfilled", color=COLOURS[mode], alpha=0.45)
    if mode in fits:
        x = np.linspace(logs.min(), logs.max(), 200)
        z = (x - fits[mode].mu) / fits[mode].s
        axes.plot(x, np.exp(-0.5 * z**2) / (fits[mode].s * np.sqrt(2 * np.pi)), "k", lw=0.9)
