"""Distance from test images to the nearest training image, against their number.

Reading it: about a straight line in log n (dotted), as the paper shows it; d* is read off the
power law C n^(-1/d*) through all sizes (dashed). With d* near 28 a neighbour at distance 1 would
take 1e31 images. The curve bends, so d* depends on the sizes fitted. Bands: the middle half of the
test images.
"""

import numpy as np
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.names import DATA, data_name, ordered
from analysis.series import arrays

source = "Prach & Lampert 2025, Fig. 12; Sec. 12"
requires = ("data/d_star/l2",)
experiment = "prach2025/neighbours"
KINDS = {"l2": "L2 distance, pixels in [0, 1]", "angular": "angle (radians)"}
PUBLISHED = 28


def draw(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One row per data set, at its largest n; L2 and angular side by side."""
    whole = runs.dropna(subset=["data/d_star/l2"]).sort_values(["n", "seed"])
    chosen = [whole[whole.data == data].iloc[-1] for data in ordered(whole.data, DATA)]
    chosen = [run for run in chosen if arrays(run.path, "data/neighbour_sizes")]
    if not chosen:
        raise NotEnoughError("no run folder has arrays/data_neighbour_sizes")
    kinds = [kind for kind in KINDS if f"data/d_star/{kind}" in whole]
    figure = Figure(figsize=(4.6 * len(kinds), 3.4 * len(chosen)), layout="constrained")
    grid = figure.subplots(len(chosen), len(kinds), squeeze=False)
    for row, run in zip(grid, chosen, strict=True):
        sizes = arrays(run.path, "data/neighbour_sizes")[0]
        for axes, kind in zip(row, kinds, strict=True):
            nearest = arrays(run.path, f"data/nearest_{kind}")[0]  # (sizes, test)
            low, middle, high = np.quantile(nearest, [0.25, 0.5, 0.75], axis=1)
            axes.fill_between(sizes, low, high, alpha=0.2, linewidth=0)
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
            axes.set_ylabel(KINDS[kind])
            axes.set_title(f"{data_name(run.data)}, {nearest.shape[1]} test images",
                           fontsize=9)  # fmt: skip
            axes.legend(fontsize=7)
    return figure, DataFrame(chosen)
