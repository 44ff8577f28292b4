"""Intrinsic properties of data sets, averaged over the runs that measured them."""

import math
import re
from collections.abc import Iterable

import pandas as pd
from pandas import DataFrame, Series

from analysis.exhibits import NotEnoughError
from analysis.runs.run_row import draw_without_fold
from analysis.statistics.over_seeds import half_width

ENDS = ("_low", "_high")
# measured once, however many networks and seeds
ONE_SET = ["data", "n", "draw", "size", "channels", "task", "images"]


def dataset_properties(runs: DataFrame, by: tuple[str, ...] = ()) -> DataFrame:
    """One row per data set (and value of `by`): d and K_F with 95 % intervals.

    Dimensions are averaged over training set sizes and class pairs, as in the paper's Fig. 1. K_F
    grows with the number of images, so it is taken at one `n`: the largest that all rows have, else
    the largest of each. Intervals are over draws of images, of each its mean: sizes of one draw are
    nested and folds of one share images, so that they are not independent. Of fewer than three
    draws there is none; of a single measurement it is the one that the run recorded.

    Returns:
        data, domain, standin, *by, n, and for each quantity its mean, `_low`, `_high`; `d_mle@k`,
        the mean from k neighbours, which shows the sign of the bias; `d_draws` and `k_draws`, the
        draws behind them; `k_f_infinite`, the sets with equal images of different labels, whose K_F
        has no value.
    """
    sets = measured(runs).drop_duplicates(ONE_SET)
    groups = sets.groupby(["data", "domain", *by], sort=False)
    common = set.intersection(*(set(part.n) for _, part in groups))
    rows = []
    for names, part in groups:
        n = max(common or part.n)
        largest = part[part.n == n]
        row = dict(zip(("data", "domain", *by), names, strict=True))
        row |= {"standin": bool(part.standin.any()), "n": int(n)}
        for quantity in ("d_mle", "d_twonn"):
            row |= _mean(part, quantity)
        row |= {f"d_mle@{k}": float(part[f"data/d_mle@{k}"].mean()) for k in neighbours_in(part)}
        for quantity in ("k_f", "k_f_rms"):
            row |= _mean(largest, quantity)
        if math.isnan(row["k_f_rms_low"]):  # a run records the interval in pixel units only
            unit = row["k_f_rms"] / row["k_f"]
            row |= {f"k_f_rms_{end}": unit * row[f"k_f_{end}"] for end in ("low", "high")}
        finite = _column(largest, "k_f").notna()
        row |= {"d_draws": draws_of(part).nunique(), "k_draws": draws_of(largest[finite]).nunique()}
        row["k_f_infinite"] = int((~finite).sum())
        rows.append(row)
    return DataFrame(rows)


def draws_of(runs: DataFrame) -> Series:
    """Which draw of images each run is on; the folds of one draw share images and count as one."""
    return runs.draw.map(draw_without_fold)


def measured(runs: DataFrame) -> DataFrame:
    """The runs that measured the properties of their images: `callbacks=none` does not."""
    found = runs.dropna(subset=["data/d_mle"])
    if found.empty:
        raise NotEnoughError("no such run measured data/d_mle; callbacks=dataset_properties does")
    return found


def neighbours_in(columns: Iterable[object]) -> list[int]:
    """The other numbers of neighbours that d was computed for, ascending.

    >>> neighbours_in(["data/d_mle@10", "data/d_mle", "data/d_mle@5"])
    [5, 10]
    """
    found = [re.fullmatch(r"data/d_mle@(\d+)", str(name)) for name in columns]
    return sorted(int(one[1]) for one in found if one)


def _mean(part: DataFrame, quantity: str) -> dict[str, float]:
    values = _column(part, quantity).dropna()
    if len(values) < 2:
        own = part.loc[values.index]
        return {quantity + end: _first(_column(own, quantity + end)) for end in ("", *ENDS)}
    draws = values.groupby(draws_of(part)).mean()
    mean, half = float(draws.mean()), float(half_width(draws.std(), len(draws)))
    ends = zip(ENDS, (mean - half, mean + half), strict=True)
    return {quantity: mean} | {quantity + end: value for end, value in ends}


def _column(part: DataFrame, quantity: str) -> Series:
    name = f"data/{quantity}"
    return part[name] if name in part else Series(math.nan, index=part.index)


def _first(values: Series) -> float:
    return float(values.iloc[0]) if len(values) and pd.notna(values.iloc[0]) else math.nan
