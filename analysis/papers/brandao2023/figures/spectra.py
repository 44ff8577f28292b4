"""Spectra of point Jacobians."""

import numpy as np
import torch
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.drawing.epoch_axis import epoch_axis
from analysis.drawing.panel_grid import panel_grid
from analysis.exhibits import NotEnoughError
from analysis.papers.brandao2023.spectra import (
    KINDS,
    Moment,
    cells,
    first_seeds,
    level_name,
    moments,
    with_noise,
)
from analysis.printing.names import data_name, model_name
from analysis.runs.series import arrays
from analysis.statistics.over_seeds import over_seeds_by_epoch
from metrics.functional.log_spectrum import log_spectrum

HEIGHT = 1.15  # of a ridge, in steps from one to the next


def spectra_training(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One panel per network, data set and level of noise."""
    mine = with_noise(runs)
    chosen = first_seeds(mine[mine.kind.isin(KINDS)])
    panels = [(run, moments(run)) for _, run in chosen.iterrows()]
    panels = [(run, found) for run, found in panels if len(found) > 1]
    if not panels:
        raise NotEnoughError("no run kept its singular values at two epochs")
    figure, grid = panel_grid(len(panels), width=2.9, height=3.4)
    for axes, (run, found) in zip(grid.flat, panels, strict=False):
        draw_ridges(axes, found)
        name = f"{model_name(run.model)}, {data_name(run.data)}"
        axes.set_title(f"{name}\n{level_name(run.kind, run.level)}", fontsize=8)
    return figure, chosen


def draw_ridges(axes: Axes, found: list[Moment]) -> None:
    """Smoothed densities above each other, in the order of the epochs."""
    for place, moment in enumerate(found):
        split = moment.spectrum.split
        x, height = split.grid.numpy(), HEIGHT * (split.density / split.density.max()).numpy()
        colour = colormaps["viridis_r"](0.1 + 0.85 * place / (len(found) - 1))
        order = 2 * (len(found) - place)  # the earlier lie before the later
        axes.fill_between(x, place, place + height, color=colour, alpha=0.85, zorder=order, lw=0)
        axes.plot(x, place + height, color="white", lw=0.7, zorder=order + 1)
        mean = moment.spectrum.mean
        axes.plot(mean, place + np.interp(mean, x, height), "o", ms=3, color="black", zorder=99)
    axes.set_yticks(range(len(found)), [f"{moment.epoch}" for moment in found], fontsize=7)
    axes.set_ylabel("epoch")
    axes.set_xlabel("log singular value")
    axes.tick_params(axis="x", labelsize=7)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)


MODES = {"": "eval", "train_b1": "own statistics"}


def spectra_batch_norm(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One row per network and level of noise, both modes side by side."""
    mine = with_noise(runs)
    mine = mine[mine.kind.isin(KINDS)].dropna(subset=["train/log_spectrum_mean@train_b1"])
    rows = [
        (run, {mode: moments(run, "train", mode, last=True) for mode in MODES})
        for _, run in first_seeds(mine).iterrows()
    ]
    rows = [(run, found) for run, found in rows if all(found.values())]
    if not rows:
        raise NotEnoughError("no network with batch normalisation kept both spectra")
    figure = Figure(figsize=(7.2, 1.9 * len(rows) + 0.6), layout="constrained")
    grid = figure.subplots(len(rows), 2, sharex=True, squeeze=False)
    for line, (run, found) in zip(grid, rows, strict=True):
        for axes, (mode, name) in zip(line, MODES.items(), strict=True):
            (moment,) = found[mode]
            values = moment.spectrum.log_sigma.numpy()
            axes.hist(values, bins=60, density=True, histtype="stepfilled", color="tab:blue")
            mass = f", left mass {moment.spectrum.split.left_mass:.3f}"
            axes.set_title(f"{name}: E[log \u03c3] = {moment.spectrum.mean:.3f}{mass}", fontsize=8)
            axes.set_yticks([])
            axes.tick_params(labelsize=7, labelbottom=True)
        data = data_name(run.data)
        label = f"{model_name(run.model)}\n{data}\n{level_name(run.kind, run.level)}"
        line[0].set_ylabel(label, fontsize=7.5)
    for axes in grid[-1]:
        axes.set_xlabel("log singular value")
    return figure, DataFrame([run for run, _ in rows])


COLUMNS = 4  # networks side by side


def conserved_direction(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """A column per network, data set and kind of noise."""
    mine = with_noise(runs)
    panels = cells(mine[mine.kind.isin(KINDS)])[:COLUMNS]
    measured = [(title, through_training(part)) for title, part in panels]
    measured = [(title, table) for title, table in measured if len(table)]
    if not measured:
        raise NotEnoughError("no run kept its singular values in both gauges")
    figure = Figure(figsize=(3.6 * len(measured) + 0.4, 5.6), layout="constrained")
    grid = figure.subplots(2, len(measured), sharex="col", squeeze=False)
    for column, (title, table) in enumerate(measured):
        above, below = grid[:, column]
        lines(above, table, {"left_mass": "-"})
        above.axhline(1 / table.classes.iloc[0], color="black", ls="--", lw=0.8, label="1/C")
        above.set_title(title, fontsize=8)
        lines(below, table, {"raw": "-", "centred": ":"})
        epoch_axis(below, table.epoch.max())
        for axes in (above, below):
            axes.legend(fontsize=7)
    grid[0, 0].set_ylabel("mass of the left mode")
    grid[1, 0].set_ylabel("E[log of the smallest \u03c3]")
    return figure, mine[mine.kind.isin(KINDS)]


def through_training(part: DataFrame) -> DataFrame:
    """Left mass and the mean log of the smallest singular value, of every run and epoch."""
    rows = []
    for _, run in part.iterrows():
        centred = arrays(run.path, "train/singular_values_centred")
        for epoch, raw in arrays(run.path, "train/singular_values").items():
            if epoch not in centred:
                continue
            row = {name: run[name] for name in ("key", "kind", "level")}
            row |= {"epoch": epoch, "classes": raw.shape[1]}
            row["left_mass"] = log_spectrum(torch.from_numpy(raw)).split.left_mass
            for gauge, values in (("raw", raw), ("centred", centred[epoch])):
                row[gauge] = float(np.log(values.min(1)).mean())
            rows.append(row)
    return DataFrame(rows)


def lines(axes: Axes, table: DataFrame, styles: dict[str, str]) -> None:
    """Each quantity against epochs, one colour per level of noise."""
    levels = sorted(table.level.unique())
    for quantity, style in styles.items():
        for place, level in enumerate(levels):
            shade = colormaps["plasma"](0.05 + 0.8 * place / max(1, len(levels) - 1))
            points = over_seeds_by_epoch(table[table.level == level], quantity)
            name = level_name(table.kind.iloc[0], level)
            label = name if quantity == "left_mass" else f"{name}, {quantity}"
            axes.plot(points.epoch, points["mean"], style, color=shade, lw=1.2, label=label)
