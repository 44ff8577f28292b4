"""Means over seeds with their intervals, and lines drawn through them."""

import math

import pandas as pd
import torch
from matplotlib.axes import Axes
from pandas import DataFrame

from metrics.functional.estimate import Estimate


def over_seeds(table: DataFrame, by: list[str], value: str) -> DataFrame:
    """Mean of `value` for every group, with its 95 % interval by Student's t over the rows.

    Args:
        table: one row per run, or per run and epoch.
        by: columns that tell the groups apart.
        value: column to average; rows without it are left out.

    Returns:
        `by`, mean, low, high (NaN for a single row), runs.
    """
    rows = []
    for names, part in table.dropna(subset=[value]).groupby(by, sort=True):
        draws = torch.tensor(part[value].to_numpy(float))
        mean, ends = float(draws.mean()), (math.nan, math.nan)
        if len(draws) > 1:
            estimate = Estimate.of_mean(draws)
            ends = (estimate.low, estimate.high)
        row = dict(zip(by, names, strict=True))
        rows.append(row | {"mean": mean, "low": ends[0], "high": ends[1], "runs": len(draws)})
    table = DataFrame(rows, columns=[*by, "mean", "low", "high", "runs"])
    return table.astype({"mean": float, "low": float, "high": float})  # of no rows, too


def over_seeds_by_epoch(table: DataFrame, value: str) -> DataFrame:
    """`over_seeds` for every epoch that all runs were measured at.

    Runs that stop by a rule end at epochs of their own: their ends count as one, at the mean epoch.

    Args:
        table: key, epoch and `value`, one row per run and epoch.
        value: column to average.
    """
    last = table.groupby("key").epoch.transform("max")
    end = table[table.epoch == last].assign(epoch=last[table.epoch == last].mean())
    before = table[(table.epoch < last) & (table.epoch < end.epoch.iloc[0])]
    points = over_seeds(before, ["epoch"], value)
    points = points[points.runs == table.key.nunique()]
    ends = over_seeds(end, ["epoch"], value)
    return pd.concat([points, ends], ignore_index=True) if len(points) else ends


def bar_line(axes: Axes, places: list[float], points: DataFrame, **style: object) -> None:
    """A line through means with bars to the ends of their intervals."""
    ends = [(points["mean"] - points.low).fillna(0), (points.high - points["mean"]).fillna(0)]
    axes.errorbar(places, points["mean"], ends, capsize=2.5, markersize=4, linewidth=1, **style)


def seeds_note(points: DataFrame) -> str:
    """How many runs are behind the bars.

    >>> seeds_note(DataFrame({"runs": [3, 3]})), seeds_note(DataFrame({"runs": [1, 1]}))
    ('95 % intervals over 3 seeds', '1 seed, no interval')
    """
    low, high = int(points.runs.min()), int(points.runs.max())
    if high == 1:
        return "1 seed, no interval"
    return f"95 % intervals over {low if low == high else f'{low} to {high}'} seeds"
