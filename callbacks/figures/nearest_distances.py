"""Distance to the nearest training image against their number."""

import torch
from matplotlib.figure import Figure

from callbacks.figures.titles import set_title
from datamodules.spec import DataSpec
from metrics.functional.neighbour_scaling import NeighbourScalingResult, Statistic

UNITS = {"l2": "L2 distance, pixels in [0, 1]", "angular": "angle (radians)"}


def nearest_distances(
    found: dict[str, NeighbourScalingResult], statistic: Statistic, spec: DataSpec
) -> Figure:
    """r*(n) with the power law fitted to it."""
    figure = Figure(figsize=(4.2 * len(found), 3.2), layout="constrained")
    for axes, (kind, result) in zip(figure.subplots(1, len(found), squeeze=False)[0],
                                    found.items(), strict=True):  # fmt: skip
        n = torch.tensor(result.sizes, dtype=torch.float64)
        distances = result.median if statistic == "median" else result.mean
        axes.plot(n, distances.cpu(), "o", markersize=4, label=statistic)
        law = result.C * n ** (-1 / result.d_star)
        axes.plot(n, law, "--", color="grey", label=f"$d^*$ = {result.d_star:.1f}")
        axes.set(xscale="log", xlabel="training images n", ylabel=UNITS[kind])
        axes.grid(alpha=0.3)
        axes.legend(frameon=False, fontsize=8)
    set_title(figure, "distance to the nearest training image", spec)
    return figure
