"""Nearest neighbours and what follows from them."""

import numpy as np
from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.papers.prach2025.budgets import STUDY
from analysis.papers.prach2025.experiments import over_sizes
from analysis.papers.prach2025.log_lines import CRA
from analysis.papers.prach2025.robust_cells import simulated
from analysis.published import published
from analysis.statistics.over_seeds import over_seeds
from metrics.functional.nearest_neighbour_bound import (
    nearest_neighbour_bound,
    nearest_neighbour_samples,
)

COLUMNS = [
    "d_star/l2", "d_star_linear/l2", "log10_n_at_1/l2",
    "nearest_median/l2", "d_star/angular", "nearest_median/angular", "d_mle", "d_twonn",
    "nn_accuracy", "nn_cra@36", "nn_cra_sharp@36",
]  # fmt: skip


def neighbours(runs: DataFrame) -> DataFrame:
    """One row per data set and n: means over seeds."""
    whole = runs.dropna(subset=["data/d_star/l2"])
    one = whole.drop_duplicates(["data", "n", "draw", "size", "standin"])
    there = [f"data/{name}" for name in COLUMNS if f"data/{name}" in one]
    grouped = one.groupby(["data", "size", "n"])
    table = grouped[there].mean().rename(columns=lambda name: name.removeprefix("data/"))
    table = table.assign(seeds=grouped.size()).reset_index()
    for name in ("d_star/l2", "log10_n_at_1/l2"):
        known = published(f"data/{name}", "prach2025").set_index("data").value
        table[f"{name} published"] = table.data.map(known)
    return table


def theorem_2(runs: DataFrame) -> DataFrame:
    """One row per dimension and n."""
    table = simulated(runs)
    cells = list(zip(table.delta, table.dimension, table.n, strict=True))
    table["promised"] = [nearest_neighbour_bound(delta, int(d), int(n)) for delta, d, n in cells]
    table["n for 99 %"] = [nearest_neighbour_samples(delta, int(d)) for delta, d, _ in cells]
    table["holds"] = ["yes" if ok else "no" for ok in table.robust_high >= table.promised]
    table.loc[table.robust_high.isna(), "holds"] = ""
    return table


def log_law(runs: DataFrame) -> DataFrame:
    """One row per network, data set, size of images and quantity."""
    rows = []
    mine = over_sizes(runs)
    for names, part in mine.groupby(STUDY):
        study = dict(zip(STUDY, names, strict=True))
        for quantity in ("accuracy", CRA):
            points = over_seeds(part, ["n"], f"test/{quantity}")
            if len(points) < 3:
                continue
            x, y = np.log2(points.n), points.y
            slope = np.polyfit(x, y, 1)[0]
            r2 = np.corrcoef(x, y)[0, 1] ** 2 if y.nunique() > 1 else float("nan")
            rows.append({**study, "quantity": quantity, "sizes": len(points),
                         "per doubling": slope, "R2": r2, "smallest n": points.n.min(),
                         "there": y.iloc[0], "largest n": points.n.max(),
                         "at it": y.iloc[-1]})  # fmt: skip
    if not rows:
        raise NotEnoughError("no network was trained at three sizes")
    return DataFrame(rows)
