"""Spectra of point Jacobians."""

import numpy as np
import torch
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.drawing.epoch_axis import epoch_axis
from analysis.drawing.panel_grid import COLUMNS, panel_grid
from analysis.drawing.ridges import draw_ridges
from analysis.exhibits import NotEnoughError
from analysis.papers.brandao2023.figures.log_spectrum import lines_by_level
from analysis.papers.brandao2023.spectra import (
    KINDS,
    cells,
    first_seeds,
    level_name,
    moments,
    of_kind,
)
from analysis.printing.names import data_name, model_name
from analysis.runs.series import arrays
from metrics.functional.log_spectrum import log_spectrum


def spectra_training(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One panel per network, data set and level of noise."""
    chosen = first_seeds(of_kind(runs, *KINDS))
    panels = [(run, moments(run)) for _, run in chosen.iterrows()]
    panels = [(run, found) for run, found in panels if len(found) > 1]
    if not panels:
        raise NotEnoughError("no run kept its singular values at two epochs")
    figure, grid = panel_grid(len(panels), width=2.9, height=3.4)
    for axes, (run, found) in zip(grid.flat, panels, strict=False):
        splits = {moment.epoch: moment.spectrum.split for moment in found}
        ridges = {epoch: (one.grid.numpy(), one.density.numpy()) for epoch, one in splits.items()}
        draw_ridges(axes, ridges)
        name = f"{model_name(run.model)}, {data_name(run.data)}"
        axes.set_title(f"{name}\n{level_name(run.kind, run.level)}", fontsize=8)
    return figure, DataFrame([run for run, _ in panels])


MODES = {"": "eval", "train_b1": "own statistics"}


def spectra_batch_norm(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One row per network and level of noise, both modes side by side."""
    mine = of_kind(runs, *KINDS).dropna(subset=["train/log_spectrum_mean@train_b1"])
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
            numbers = f"E[log \u03c3] = {moment.spectrum.mean:.3f}"
            numbers += f", left mass {moment.spectrum.split.left_mass:.3f}"
            axes.set_title(f"{name}: {numbers}", fontsize=8)
            axes.set_yticks([])
            axes.tick_params(labelsize=7, labelbottom=True)
        network = f"{model_name(run.model)}\n{data_name(run.data)}"
        line[0].set_ylabel(f"{network}\n{level_name(run.kind, run.level)}", fontsize=7.5)
    for axes in grid[-1]:
        axes.set_xlabel("log singular value")
    return figure, DataFrame([run for run, _ in rows])


def conserved_direction(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """Two panels, one above the other, per network, data set and kind of noise."""
    mine = of_kind(runs, *KINDS)
    measured = [(title, through_training(part)) for title, part in cells(mine)]
    measured = [(title, table) for title, table in measured if len(table)]
    if not measured or max(table.epoch.nunique() for _, table in measured) < 2:
        raise NotEnoughError("no run kept its singular values in both gauges at two epochs")
    columns = min(COLUMNS, len(measured))
    rows = 2 * -(-len(measured) // columns)
    figure = Figure(figsize=(3.6 * columns + 0.4, 2.8 * rows), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False)
    above_of, below_of = grid[::2].ravel(), grid[1::2].ravel()
    for axes in (*above_of[len(measured) :], *below_of[len(measured) :]):
        axes.set_axis_off()
    for above, below, (title, table) in zip(above_of, below_of, measured, strict=False):
        above.sharex(below)
        above.tick_params(labelbottom=False)
        above.axhline(1 / table.classes.iloc[0], color="black", ls="--", lw=0.8, label="1/C")
        lines_by_level(above, table, {"left_mass": "o-"})
        above.set_title(title, fontsize=8)
        lines_by_level(below, table, {"raw": "o-", "centred": ".:"})
        epoch_axis(below, table.epoch.max())
    for above, below in zip(grid[::2, 0], grid[1::2, 0], strict=True):
        above.set_ylabel("mass of the left mode")
        below.set_ylabel("E[log of the smallest \u03c3]")
    drawn = {key for _, table in measured for key in table.key}
    return figure, mine[mine.key.isin(drawn)]


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
                smallest = values.min(1)  # 0 where all units are dead
                row[gauge] = float(np.log(smallest[smallest > 0]).mean())
            rows.append(row)
    return DataFrame(rows)
