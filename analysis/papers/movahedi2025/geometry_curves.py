"""Curves of G^t through training: correlations (Figs. 2, 8) and velocities (Figs. 3, 12, 13)."""

from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.papers.movahedi2025.experiments import runs_of
from analysis.papers.movahedi2025.panels import panels_of, seeds_of
from analysis.runs.series import series
from analysis.runs.settings import setting
from analysis.statistics.grid import one_recipe
from analysis.statistics.over_seeds import band

DATA = {False: (r"along $G_F$", "tab:blue"), True: (r"against it, flip($G_F$)", "tab:red")}
VELOCITY, ACCURACY = "geometry/velocity", "train/running_accuracy"
CURVES: dict[str, dict[str, Any]] = {  # S wider: both are seen where they coincide
    "geometry/corr_s": {"label": "Corr with S", "color": "tab:orange", "linewidth": 3.0},
    "geometry/corr_gsg": {"label": r"Corr with $G_F\,S\,G_F$", "color": "tab:blue"},
    ACCURACY: {"label": "train accuracy", "color": "tab:green", "linestyle": "--"},
}


def correlation_panels(runs: DataFrame, experiment: str) -> tuple[Figure, DataFrame]:
    """Corr(G^t, S) and Corr(G^t, G_F S G_F), a panel per network, with its training accuracy."""
    mine = one_recipe(runs_of(runs, experiment))
    panels = panels_of(mine, ["model", "data"])
    figure = Figure(figsize=(3.7 * len(panels) + 0.6, 3.8), layout="constrained")
    row = figure.subplots(1, len(panels), squeeze=False)[0]
    for axes, (title, part) in zip(row, panels, strict=True):
        for name, style in CURVES.items():
            band(axes, series(part, name), "epoch", name, **style)
        dimension = int(part.channels.iloc[0] * part["size"].iloc[0] ** 2)
        chance = {"color": "tab:gray", "linestyle": ":", "linewidth": 1}
        axes.axhline(dimension**-0.5, label="chance, $1/\\sqrt{D}$", **chance)
        members = setting(part, "model.members", 1).iloc[0]
        axes.set_title(f"{title}: {members} networks\n{seeds_of(part)}")
        axes.set(xlabel="epoch", ylabel="correlation, accuracy", ylim=(0, 1.02))
    handles = figure.axes[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=2)
    return figure, mine


def velocity_panels(mine: DataFrame, by: Sequence[str]) -> tuple[Figure, DataFrame]:
    """Velocity (above) and training accuracy (below) on both data, a column per group of runs."""
    mine = mine.assign(flip=setting(mine, "data.law.flip", default=False).astype(bool))
    if mine.flip.nunique() < 2:
        raise NotEnoughError("no network was trained both on data along G_F and against it")
    columns = panels_of(mine, by)
    figure = Figure(figsize=(3.3 * len(columns) + 0.6, 5.6), layout="constrained")
    grid = figure.subplots(2, len(columns), squeeze=False, sharex="col", sharey="row")
    grid[0, 0].set(yscale="log", ylabel="velocity")
    grid[1, 0].set_ylabel("train accuracy")
    for (above, below), (title, part) in zip(grid.T, columns, strict=True):
        for flip, (label, colour) in DATA.items():
            some = part[part.flip == flip]
            style = {"color": colour, "label": label, "linewidth": 1.4 if flip else 3.0}
            for axes, name in ((above, VELOCITY), (below, ACCURACY)):
                band(axes, series(some, name), "epoch", name, **style)
        above.set_title(f"{title}\n{seeds_of(part)}")
        below.set_xlabel("epoch")
    handles = grid[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=2)
    return figure, mine
