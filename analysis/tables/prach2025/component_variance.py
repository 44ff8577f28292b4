"""Variance explained by ranges of principal components, ours beside the published.

Reading it: the first column of Table 1 in per cent. Of whole images, so that one run without a
network (`model=none callbacks=principal_variance`) is enough; the ranges are CIFAR-10's, at 32 px.
"""

import numpy as np
from pandas import DataFrame

from analysis.components import whole_images
from analysis.exhibits import NotEnoughError
from analysis.published import published
from analysis.series import arrays

source = "Prach & Lampert 2025, Table 1 (variance)"
requires = ("data/variance",)
experiment = "prach2025/components"
RANGES = {
    "1-16": [(0, 16)],
    "1-512": [(0, 512)],
    "513-3072": [(512, 3072)],
    "2049-3072": [(2048, 3072)],
    "1-16 & 513-3072": [(0, 16), (512, 3072)],
    "1-3072": [(0, 3072)],
}


def build(runs: DataFrame) -> DataFrame:
    """One row per data set, n and range."""
    known = published("variance_share", "prach2025").set_index("task").value
    rows = []
    wide = whole_images(runs).drop_duplicates(["data", "n", "seed", "size", "standin"])
    for _, run in wide[wide.total == 3072].iterrows():
        shares = arrays(run.path, "data/variance_shares")[0]
        for name, ranges in RANGES.items():
            share = float(np.sum([shares[first:stop].sum() for first, stop in ranges]))
            ours = {"data": run.data, "n": run.n, "seed": run.seed, "components": name}
            rows.append(ours | {"%": 100 * share, "% published": 100 * known[name]})
    if not rows:
        raise NotEnoughError("no run kept the variances of whole images of 3072 numbers")
    table = DataFrame(rows)
    cell = ["data", "n", "components"]
    grouped = table.groupby(cell, sort=False)[["%", "% published"]].mean()
    return grouped.assign(seeds=table.groupby(cell, sort=False).size()).reset_index()
