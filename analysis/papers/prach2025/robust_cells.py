"""Certificates by distance to the training images, and simulations of Theorem 2."""

import torch
from pandas import DataFrame, Series

from analysis.exhibits import NotEnoughError
from analysis.papers.prach2025.log_lines import RADIUS
from analysis.runs.series import arrays
from analysis.runs.settings import setting
from analysis.statistics.over_seeds import over_seeds
from metrics.functional.binned_share import BinnedShare, binned_share

CELL = ["dimension", "delta", "n"]


def certified_cells(runs: DataFrame) -> DataFrame:
    """Runs on data=cells, with dimension, delta and `robust accuracy`: of 1-NN at delta/2."""
    mine = runs[runs.data == "cells"]
    if mine.empty:
        raise NotEnoughError("no run is on data=cells")
    side = setting(mine, "data.law.per_side").astype(int)
    mine = mine.assign(dimension=setting(mine, "data.law.dimension"), delta=1 / (3 * side - 2))
    mine["robust accuracy"] = [
        run.get(f"data/nn_cra@{255 * run.delta / 2:g}", float("nan")) for _, run in mine.iterrows()
    ]
    mine = mine.dropna(subset=["robust accuracy"])
    if mine.empty:
        raise NotEnoughError("no run on data=cells was certified at delta/2 in L_inf")
    return mine


def simulated(runs: DataFrame) -> DataFrame:
    """Mean of `robust` over training sets with its interval, for every dimension and n."""
    return over_seeds(certified_cells(runs), CELL, {"robust": "robust accuracy"})


def certified_by_distance(run: Series, kind: str, bins: int) -> BinnedShare | None:
    """Share of test images certified, by their distance to the nearest training image.

    None where a run did not keep radii and distances of the same images: smoothing certifies some
    of the images only.
    """
    radii, nearest = (
        arrays(run.path, name) for name in ("test/certified_radius", f"data/nearest_{kind}")
    )
    if not radii or not nearest:
        return None
    radius, distance = list(radii.values())[-1], nearest[0][-1]
    if len(radius) != len(distance) or len(radius) < bins:
        return None
    hits = torch.from_numpy(radius > RADIUS / 255)  # NaN, a wrong answer, is no hit
    return binned_share(torch.from_numpy(distance), hits, bins)
