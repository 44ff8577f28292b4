"""Runs on some principal components: which, how much variance, and with what augmentation."""

from typing import Any

import pandas as pd
from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.papers.prach2025.experiments import of_experiment
from analysis.papers.prach2025.log_lines import CRA
from analysis.runs.series import arrays
from analysis.runs.settings import setting

KEEP = "data.transforms.components.keep"
ACCURATE, ROBUST = "simple_convnet", "aol_mlp"  # whose accuracy and whose certificates are shown
SAME = ["data", "n", "draw", "size", "channels", "standin"]


def component_runs(runs: DataFrame, *experiments: str) -> DataFrame:
    """Runs of these experiments, in Table 1's order, with what was kept of the images.

    Adds `keep`, `components` (its name), `total` (numbers of an image), `augmented` and `share`,
    the variance of a run's images over that of the runs on all components of the same images; NaN
    where there is none.
    """
    mine = of_experiment(runs, *experiments)
    mine = mine.assign(keep=setting(mine, KEEP), augmented=augmented(mine))
    mine = mine[mine.keep.notna()].reset_index(drop=True)
    if mine.empty:
        raise NotEnoughError("no run was on some of the principal components")
    numbers = mine.channels * mine["size"] ** 2
    mine["total"] = numbers.astype(int)
    mine["components"] = [name_of(keep) for keep in mine.keep]
    whole = mine[[keep == [[0, d]] for keep, d in zip(mine.keep, mine.total, strict=True)]]
    if "data/variance" in mine and len(whole):
        totals = whole.groupby(SAME, as_index=False)["data/variance"].first()
        joined = mine[SAME].merge(totals, on=SAME, how="left")["data/variance"]
        mine["share"] = mine["data/variance"] / joined.to_numpy()
    else:
        mine["share"] = float("nan")
    order = sorted(range(len(mine)), key=lambda i: _place(mine.keep[i], mine.total[i]))
    return mine.iloc[order].reset_index(drop=True)


def _place(keep: list[list[int]], total: int) -> tuple[bool, int, int, int]:
    """The paper's order: single ranges from the first component on, joined ones, all."""
    return keep == [[0, total]], len(keep), keep[0][0], keep[-1][1]


def whole_images(runs: DataFrame) -> DataFrame:
    """Runs that kept the variance of each component of images that nothing was taken from."""
    total = (runs.channels * runs["size"] ** 2).astype(int)
    mine = runs.assign(total=total, keep=setting(runs, KEEP))
    changed = setting(runs, "data.transforms").map(bool).tolist()
    whole = [
        keep == [[0, d]] or not other
        for keep, d, other in zip(mine.keep, total, changed, strict=True)
    ]
    kept = [bool(arrays(path, "data/variance_shares")) for path in runs.path]
    return mine[[a and b for a, b in zip(whole, kept, strict=True)]].reset_index(drop=True)


def name_of(keep: list[list[int]]) -> str:
    """Ranges as the paper writes them, counted from 1.

    >>> name_of([[0, 16], [512, 3072]])
    '1-16 & 513-3072'
    """
    return " & ".join(f"{first + 1}-{stop}" for first, stop in keep)


def augmented(runs: DataFrame) -> list[bool]:
    """Whether each run changed its training images at random."""

    def any_of(name: str) -> list[Any]:
        return setting(runs, f"augmentation.{name}", 0).tolist()

    columns = zip(*(any_of(name) for name in ("crop", "flip", "erase", "noise")), strict=True)
    return [any(bool(value) for value in row) for row in columns]


def table_1(mine: DataFrame) -> DataFrame:
    """One row per data set and choice of components, of runs of `one_recipe`.

    It has the variance, the accuracy of one network, and CRA of the other.
    """
    rows = []
    for (data, name), part in mine.groupby(["data", "components"], sort=False):
        row: dict[str, Any] = {"data": data, "components": name}
        row["variance share"] = part.share.mean()
        for quantity, model in (("accuracy", ACCURATE), (CRA, ROBUST)):
            own = part[part.model.str.removesuffix("_small") == model]
            for stage in ("train", "test"):
                column = f"{stage}/{quantity}"
                values = own[column].dropna() if column in own else pd.Series(dtype=float)
                row[column] = values.mean() if len(values) else float("nan")
        row["runs"] = len(part)
        rows.append(row)
    return DataFrame(rows).sort_values("data", kind="stable", ignore_index=True)
