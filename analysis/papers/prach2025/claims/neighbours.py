"""Nearest neighbours: d*, certificates near training images, and Theorem 2."""

import numpy as np
from pandas import DataFrame, Series

from analysis.claim import Evidence
from analysis.claim_cells import over_seeds_in
from analysis.exhibits import NotEnoughError
from analysis.papers.prach2025.budgets import STUDY
from analysis.papers.prach2025.experiments import over_sizes
from analysis.papers.prach2025.robust_cells import certified_by_distance, certified_cells
from analysis.statistics.grid import one_recipe
from metrics.functional.nearest_neighbour_bound import nearest_neighbour_bound

SEEN = ["size", "channels", "images"]
WHOLE = 45_000  # images of CIFAR-10: the paper's d* is of all of it


def of_cifar10(runs: DataFrame, column: str) -> Evidence:
    """A number of the nearest neighbours in CIFAR-10, over draws of the images."""
    mine = runs[(runs.data == "cifar10") & (runs.n >= WHOLE)]
    if column not in mine or mine[column].isna().all():
        raise NotEnoughError(f"no run has {column} of at least {WHOLE:,} images of CIFAR-10")
    once = mine.dropna(subset=[column]).drop_duplicates(["n", "draw", *SEEN])
    # no network has a part in distances between images, but other images have others
    once = once.assign(model="none", recipe=once.images)
    return over_seeds_in(one_recipe(once), ["data"], column)


def near(runs: DataFrame, kind: str) -> Evidence:
    """CRA of the nearer half of the test images less that of the farther half, at the largest n."""
    mine = one_recipe(over_sizes(runs), swept=["size"])
    mine = mine.assign(gap=[_nearer_less_farther(run, kind) for _, run in mine.iterrows()])
    mine = mine.dropna(subset=["gap"])
    if mine.empty:
        raise NotEnoughError("no run kept the radii and the neighbours of the same test images")
    return over_seeds_in(mine, STUDY, "gap")


def _nearer_less_farther(run: Series, kind: str) -> float:
    found = certified_by_distance(run, kind, bins=2)
    return float("nan") if found is None else float(found.share[0] - found.share[-1])


def theorem_2(runs: DataFrame) -> Evidence:
    """Robust accuracy of 1-NN less what the theorem promises, where it promises anything."""
    mine = certified_cells(runs)
    cells = zip(mine.delta, mine.dimension, mine.n, strict=True)
    promised = np.array([nearest_neighbour_bound(delta, int(d), int(n)) for delta, d, n in cells])
    mine = mine.assign(spare=mine["robust accuracy"] - promised)[promised > 0]
    if mine.empty:
        raise NotEnoughError("no run has images enough for the theorem to promise anything")
    return over_seeds_in(mine, ["dimension", "n"], "spare", center="median")
