"""How robust the 1-nearest-neighbour classifier is, against what Theorem 2 promises.

Reading it: points are simulated, dashed lines the theorem's 1 - ceil(1/delta)^d / (n e); where a
line is not drawn it says nothing. No point may lie below its line by more than chance. The vertical
lines are 37 ceil(1/delta)^d, where 99 % are promised: exponential in d, and far to the right of
where this law, with 2^d cells for 4^d boxes, needs them.
"""

import numpy as np
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.over_seeds import bar_line, seeds_note
from analysis.robust_cells import simulated
from metrics.functional.nearest_neighbour_bound import (
    nearest_neighbour_bound,
    nearest_neighbour_samples,
)

source = "Prach & Lampert 2025, Theorem 2"
requires = ("data/nn_accuracy",)
experiment = "prach2025/bound"


def draw(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One colour per dimension."""
    table = simulated(runs)
    figure = Figure(figsize=(6.2, 4.0), layout="constrained")
    axes = figure.subplots()
    for place, (d, part) in enumerate(table.groupby("dimension")):
        colour, delta = f"C{place}", part.delta.iloc[0]
        bar_line(axes, part.n, part.rename(columns={"robust": "mean"}), fmt="o-", color=colour,
                 label=f"d = {d}")  # fmt: skip
        last = nearest_neighbour_samples(delta, int(d))
        sizes = np.geomspace(2, max(2 * last, part.n.max()), 400).astype(int)
        promised = np.array([nearest_neighbour_bound(delta, int(d), int(n)) for n in sizes])
        axes.plot(sizes[promised > 0], promised[promised > 0], "--", color=colour)
        axes.axvline(last, color=colour, linewidth=0.7, linestyle=":")
    axes.set_xscale("log")
    axes.set_ylim(0, 1.04)
    axes.set_xlabel("training points n")
    axes.set_ylabel("robust accuracy of 1-NN at $\\delta/2$ ($L_\\infty$)")
    title = seeds_note(table.runs)
    axes.legend(loc="lower right", title=title, title_fontsize=7)
    return figure, runs[runs.data == "cells"]
