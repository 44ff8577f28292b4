"""Principal components and robust accuracy."""

import math

import numpy as np
from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.papers.prach2025.components import component_runs, table_1, whole_images
from analysis.papers.prach2025.log_lines import CRA
from analysis.published import published
from analysis.runs.series import arrays
from analysis.statistics.grid import one_recipe

RANGES = {
    "1-16": [(0, 16)],
    "1-512": [(0, 512)],
    "513-3072": [(512, 3072)],
    "2049-3072": [(2048, 3072)],
    "1-16 & 513-3072": [(0, 16), (512, 3072)],
    "1-3072": [(0, 3072)],
}


def component_variance(runs: DataFrame) -> DataFrame:
    """One row per data set, n and range."""
    known = published("variance_share", "prach2025").set_index(["data", "task"]).value
    rows = []
    wide = whole_images(runs).drop_duplicates(["data", "n", "draw", "size", "standin"])
    for _, run in wide[wide.total == 3072].iterrows():
        shares = arrays(run.path, "data/variance_shares")[0]
        for name, ranges in RANGES.items():
            share = float(np.sum([shares[first:stop].sum() for first, stop in ranges]))
            ours = {"data": run.data, "n": run.n, "components": name, "%": 100 * share}
            rows.append(ours | {"% published": 100 * known.get((run.data, name), math.nan)})
    if not rows:
        raise NotEnoughError("no run kept the variances of whole images of 3072 numbers")
    table = DataFrame(rows)
    cell = ["data", "n", "components"]
    grouped = table.groupby(cell, sort=False)[["%", "% published"]].mean()
    return grouped.assign(seeds=table.groupby(cell, sort=False).size()).reset_index()


COLUMNS = {
    "variance share": "variance_share",
    **{f"{s}/{q}": f"{s}/{q}" for q in ("accuracy", CRA) for s in ("train", "test")},
}


CELL = ["data", "components"]


def components(runs: DataFrame) -> DataFrame:
    """One row per data set and choice of components."""
    mine = component_runs(runs, "components")
    mine = one_recipe(mine[mine.augmented])
    if mine.empty:
        raise NotEnoughError("no run on some principal components had augmentation")
    table = table_1(mine)
    for column, quantity in COLUMNS.items():
        known = published(quantity, "prach2025", item="Table 1").set_index(["data", "task"]).value
        table[f"{column} published"] = [known.get(tuple(row)) for row in table[CELL].to_numpy()]
    ordered = [c for name in COLUMNS for c in (name, f"{name} published")]
    return table[[*CELL, *ordered, "runs"]]
