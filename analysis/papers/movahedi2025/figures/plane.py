"""Decision boundaries in a plane."""

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.papers.movahedi2025.experiments import runs_of
from analysis.printing.names import model_name, networks_of
from analysis.runs.series import arrays
from analysis.runs.settings import setting
from analysis.statistics.grid import one_recipe
from records.counted import counted

SIDES = {True: "$u_2$ strong in $G_F$", False: "$u_2$ weak in $G_F$"}


def plane_boundaries(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One row per network, aligned plane on the left."""
    mine = one_recipe(runs_of(runs, "plane"))
    mine = mine.assign(aligned=setting(mine, "data.law.u2").map(lambda u2: u2 in (1, 2, 3)))
    if mine.aligned.nunique() < 2:
        raise NotEnoughError("the plane was learned in one orientation only")
    models = networks_of(mine)
    figure = Figure(figsize=(6.6, 3.3 * len(models) + 0.3), layout="constrained")
    grid = figure.subplots(len(models), 2, squeeze=False)
    for row, model in zip(grid, models, strict=True):
        for axes, aligned in zip(row, SIDES, strict=True):
            part = mine[(mine.model == model) & (mine.aligned == aligned)]
            if len(part):
                boundaries(axes, part)
            axes.set_ylabel(f"{model_name(model)}\n$u_2$" if aligned else "$u_2$")
            axes.set_xlabel("$u_1$")
            axes.tick_params(labelsize=7)
    return figure, mine


def boundaries(axes: Axes, runs: DataFrame) -> None:
    """Test points of the first run, and the zero lines of all members of all runs."""
    accuracies = []
    for place, path in enumerate(runs.path):
        scores = _last(path, "boundary/scores")  # (members, side, side)
        reach = float(_last(path, "boundary/reach")[0])
        accuracies += list(_last(path, "boundary/accuracy"))
        if place == 0:
            points = _last(path, "boundary/points")
            for label, colour in ((0, "tab:blue"), (1, "tab:orange")):
                some = points[points[:, 2] == label]
                axes.scatter(some[:, 0], some[:, 1], s=4, color=colour, alpha=0.6, linewidth=0)
        line = np.linspace(-reach, reach, scores.shape[-1])
        for score in scores:
            if score.min() < 0 < score.max():
                axes.contour(line, line, score, [0.0], colors="tab:green", linewidths=0.8)
        axes.set_xlim(-reach, reach)
        axes.set_ylim(-reach, reach)
    aligned = bool(runs.aligned.iloc[0])
    mean, spread = np.mean(accuracies), np.std(accuracies, ddof=1) if len(accuracies) > 1 else 0.0
    networks = counted(len(accuracies), "network")
    text = f"{SIDES[aligned]}: test {mean:.3f} ± {spread:.3f} ({networks})"
    axes.set_title(text, fontsize=8)
    axes.set_aspect("equal")


def _last(path: Path, name: str) -> np.ndarray:
    kept = arrays(path, name)
    if not kept:
        raise NotEnoughError(f"{path} has no array {name}")
    return kept[max(kept)]
