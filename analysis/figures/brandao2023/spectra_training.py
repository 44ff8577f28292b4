"""The point-Jacobian spectrum through training, one ridge per epoch.

Reading it: time runs upwards, from the untrained network (lightest) to overfit (darkest); the dot
on a ridge is E[log sigma]; all ridges are drawn equally high. While a network fits, its spectrum
moves to the right; the part that stays behind, 1/C of it, is the direction that softmax ignores
and plain SGD never learns along. Training images, first seed of each level of noise.
"""

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.names import data_name, model_name
from analysis.panel_grid import panel_grid
from analysis.spectra import (
    KINDS,
    Moment,
    first_seeds,
    level_name,
    moments,
    with_noise,
)

source = "Brandao et al. 2023, a view of our own"
requires = ("train/log_spectrum_mean",)
experiment = "brandao2023/label_noise"
HEIGHT = 1.15  # of a ridge, in steps from one to the next


def draw(runs: DataFrame) -> tuple[Figure, DataFrame]:
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
