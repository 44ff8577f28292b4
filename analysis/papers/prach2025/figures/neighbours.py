"""Distance to the nearest neighbour, and what follows from it."""

import numpy as np
import torch
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.papers.prach2025.budgets import STUDY
from analysis.papers.prach2025.experiments import over_sizes
from analysis.papers.prach2025.log_lines import RADIUS, lines_of
from analysis.papers.prach2025.robust_cells import certified_by_distance, simulated
from analysis.printing.names import DATA, data_name, ordered
from analysis.runs.series import arrays
from analysis.statistics.over_seeds import bar_line, seeds_note
from metrics.functional.nearest_neighbour_bound import (
    nearest_neighbour_bound,
    nearest_neighbour_samples,
)

DISTANCES = {"l2": "L2 distance, pixels in [0, 1]", "angular": "angle (radians)"}
PUBLISHED = 28


def neighbour_distance(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One row per data set, at its largest n; L2 and angular side by side."""
    whole = runs.dropna(subset=["data/d_star/l2"]).sort_values(["n", "seed"])
    chosen = [whole[whole.data == data].iloc[-1] for data in ordered(whole.data, DATA)]
    chosen = [run for run in chosen if arrays(run.path, "data/neighbour_sizes")]
    if not chosen:
        raise NotEnoughError("no run folder has arrays/data_neighbour_sizes")
    kinds = [kind for kind in DISTANCES if f"data/d_star/{kind}" in whole]
    figure = Figure(figsize=(4.6 * len(kinds), 3.4 * len(chosen)), layout="constrained")
    grid = figure.subplots(len(chosen), len(kinds), squeeze=False)
    for row, run in zip(grid, chosen, strict=True):
        sizes = arrays(run.path, "data/neighbour_sizes")[0]
        for axes, kind in zip(row, kinds, strict=True):
            nearest = arrays(run.path, f"data/nearest_{kind}")[0]  # (sizes, test)
            low, middle, high = np.quantile(nearest, [0.25, 0.5, 0.75], axis=1)
            axes.fill_between(sizes, low, high, alpha=0.2, linewidth=0, label="quartiles")
            axes.plot(sizes, middle, "o", markersize=4, label="median $r^*(n)$")
            slope, level = np.polyfit(np.log(sizes), np.log(middle), 1)
            label = f"power law, $d^*$ = {run[f'data/d_star/{kind}']:.1f}"
            if kind == "l2" and run.data == "cifar10" and not run.standin:
                label += f" (published {PUBLISHED})"
            axes.plot(sizes, np.exp(level) * sizes**slope, "--", color="grey", label=label)
            slope, level = np.polyfit(np.log(sizes), middle, 1)
            axes.plot(
                sizes, level + slope * np.log(sizes), ":", color="black", label="line in log n"
            )
            axes.set_xscale("log")
            axes.set_xlabel("training images n")
            axes.set_ylabel(DISTANCES[kind])
            axes.set_title(f"{data_name(run.data)}, {nearest.shape[1]} test images",
                           fontsize=9)  # fmt: skip
            axes.legend(fontsize=7)
    return figure, DataFrame(chosen)


TO_NEAREST = "{} to the nearest training image"
BINS = 5


def robust_near(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """L2 and angular side by side, every certified network and data set at its largest n.

    Of several runs there the one of the last seed is shown.
    """
    figure = Figure(figsize=(9.6, 4.1), layout="constrained")
    grid = figure.subplots(1, 2)
    drawn = []
    mine = over_sizes(runs)
    certified = mine.dropna(subset=["test/cra@36", "data/d_star/l2"]).sort_values(["n", "seed"])
    for line in lines_of(certified.drop_duplicates(STUDY, keep="last")):
        run = line.runs.iloc[0]
        for axes, kind in zip(grid, DISTANCES, strict=True):
            if (found := certified_by_distance(run, kind, BINS)) is None:
                continue
            error = torch.stack([found.share - found.low, found.high - found.share])
            axes.errorbar(found.centre, found.share, error, fmt=f"{line.marker}-",
                          color=line.colour, markersize=4, linewidth=0.8, capsize=2,
                          label=f"{line.label}, n = {run.n}")  # fmt: skip
            drawn.append(run)
    if not drawn:
        raise NotEnoughError("no run kept the radii and the neighbours of the same test images")
    for axes, distance in zip(grid, ("L2 distance", "angle (radians)"), strict=True):
        axes.set(xlabel=TO_NEAREST.format(distance), ylabel=f"share certified at {RADIUS}/255")
        axes.set_ylim(bottom=0)
    handles = grid[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", title="bars: 95 % over test images")
    return figure, DataFrame(drawn).drop_duplicates("key")


def theorem_2(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One colour per dimension."""
    table = simulated(runs)
    figure = Figure(figsize=(6.2, 4.0), layout="constrained")
    axes = figure.subplots()
    for place, (d, part) in enumerate(table.groupby("dimension")):
        colour, delta = f"C{place}", part.delta.iloc[0]
        points = part.rename(columns=lambda name: name.replace("robust", "y"))
        bar_line(axes, part.n, points, fmt="o-", color=colour, label=f"d = {d}")
        last = nearest_neighbour_samples(delta, int(d))
        sizes = np.geomspace(2, max(2 * last, part.n.max()), 400).astype(int)
        promised = np.array([nearest_neighbour_bound(delta, int(d), int(n)) for n in sizes])
        axes.plot(sizes[promised > 0], promised[promised > 0], "--", color=colour)
        axes.axvline(last, color=colour, linewidth=0.7, linestyle=":")
    axes.set_xscale("log")
    axes.set_ylim(0, 1.04)
    axes.set_xlabel("training points n")
    axes.set_ylabel("robust accuracy of 1-NN at $\\delta/2$ ($L_\\infty$)")
    lines = "points: simulated; dashed: promised; dotted: n promised for 99 %"
    figure.legend(loc="outside lower center", ncols=6, title=f"{lines}\n{seeds_note(table.runs)}")
    return figure, runs[runs.data == "cells"]
