"""Certified robust accuracy by the distance to the nearest training image.

Reading it: test images in five groups of equal size, the nearest to their training set on the
left, with exact 95 % intervals. The paper says that 1-Lipschitz networks do better near training
images, at least by angle: a line that falls. If it does in both, growing data help by coming near.
"""

import torch
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.log_lines import RADIUS, network
from analysis.series import arrays
from metrics.functional.binned_share import binned_share

source = "Prach & Lampert 2025, Sec. 12, on angles"
requires = ("test/cra@36", "data/d_star/l2")
experiment = "prach2025/data_scaling"
KINDS = {"l2": "L2 distance to the nearest training image", "angular": "angle to it (radians)"}
BINS = 5


def draw(runs: DataFrame) -> Figure:
    """L2 and angular side by side, every certified network at its largest n."""
    figure = Figure(figsize=(9.6, 3.8), layout="constrained")
    grid = figure.subplots(1, 2)
    drawn = 0
    for model, part in runs.dropna(subset=list(requires)).groupby("model"):
        run = part.sort_values(["n", "seed"]).iloc[-1]
        radii = arrays(run.path, "test/certified_radius")
        for axes, (kind, xlabel) in zip(grid, KINDS.items(), strict=True):
            nearest = arrays(run.path, f"data/nearest_{kind}")
            axes.set_xlabel(xlabel)
            if not radii or not nearest:
                continue
            radius, distance = list(radii.values())[-1], nearest[0][-1]
            if len(radius) != len(distance) or len(radius) < BINS:
                continue  # smoothing certifies some of the images only
            hits = torch.from_numpy(radius > RADIUS / 255)  # NaN, a wrong answer, is no hit
            found = binned_share(torch.from_numpy(distance), hits, BINS)
            name, colour = network(str(model))
            error = torch.stack([found.share - found.low, found.high - found.share])
            axes.errorbar(found.centre, found.share, error, fmt="o-", color=colour, markersize=4,
                          linewidth=0.8, capsize=2, label=f"{name}, n = {run.n}")  # fmt: skip
            drawn += 1
    if not drawn:
        raise NotEnoughError("no run kept the radii and the neighbours of the same test images")
    for axes in grid:
        axes.set_ylabel(f"certified at {RADIUS}/255")
        axes.set_ylim(bottom=0)
        axes.legend()
    return figure
