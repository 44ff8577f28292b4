"""The one average over seeds: means, Student's 95 % intervals from three seeds on, and lines."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray
from pandas import DataFrame
from scipy.special import stdtrit

LEAST = 3  # seeds for an interval: of two, Student's t takes twelve deviations
CONFIDENCE = 0.95


def half_width(deviation: ArrayLike, count: ArrayLike) -> NDArray[np.float64]:
    """Half of the interval of a mean by Student's t; NaN for fewer than three values.

    >>> half_width([1.0, 1.0], [3, 2]).round(3)   # 4.303 / sqrt(3)
    array([2.484,   nan])
    """
    n = np.asarray(count, dtype=float)
    half = stdtrit(np.maximum(n - 1, 1), (1 + CONFIDENCE) / 2) * np.asarray(deviation) / n**0.5
    return np.where(n < LEAST, np.nan, half)


def over_seeds(table: DataFrame, by: Sequence[str], value: str) -> DataFrame:
    """Mean of `value` for every group, with its 95 % interval over the rows.

    Args:
        table: one row per run, or per run and epoch.
        by: columns that define the groups.
        value: column to average; rows without it are left out.

    Returns:
        `by`, mean, low, high (NaN for fewer than three rows), half (their distance from the mean),
        runs.
    """
    grouped = table.dropna(subset=[value]).groupby(list(by), sort=True)[value]
    found = DataFrame({"mean": grouped.mean().astype(float), "runs": grouped.size()})
    found["half"] = half_width(grouped.std().astype(float), found.runs)
    found = found.assign(low=found["mean"] - found.half, high=found["mean"] + found.half)
    return found.reset_index()


def over_seeds_by_epoch(table: DataFrame, value: str) -> DataFrame:
    """`over_seeds` for every epoch that all runs were measured at.

    Runs with a stop rule end at different epochs: their ends count as one, at the mean epoch.

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


def bar_line(axes: Axes, places: Sequence[float], points: DataFrame, **style: Any) -> None:
    """A line through means with bars to the ends of their intervals, where they have one."""
    bars = points.half.fillna(0)
    axes.errorbar(places, points["mean"], bars, capsize=2.5, markersize=4, linewidth=1, **style)


def band(axes: Axes, table: DataFrame, x: str, y: str, **style: Any) -> DataFrame:
    """A line of means over seeds with a band to the ends of their intervals; returns its points.

    Args:
        axes: to draw on.
        table: rows of single runs.
        x: column of the horizontal axis.
        y: column of the vertical axis.
        **style: of the line: color, label, linestyle, marker.
    """
    points = over_seeds(table.dropna(subset=[x]), [x], y)
    (line,) = axes.plot(points[x], points["mean"], **{"linewidth": 1.4, "markersize": 4} | style)
    colour = line.get_color()
    places = points[x].astype(float)
    axes.fill_between(places, points.low, points.high, color=colour, alpha=0.2, linewidth=0)
    return points


def seeds_note(runs: int | pd.Series, what: str = "seed") -> str:
    """What bars and bands are, and how many runs are behind them.

    >>> seeds_note(3), seeds_note(pd.Series([1, 2])), seeds_note(pd.Series([3, 5]))
    ('95 % intervals over 3 seeds', '1 to 2 seeds, no interval', '95 % intervals over 3 to 5 seeds')
    """
    low, high = (runs, runs) if isinstance(runs, int) else (int(runs.min()), int(runs.max()))
    count = f"{high if low == high else f'{low} to {high}'} {what}{'s' * (high > 1)}"
    return f"95 % intervals over {count}" if high >= LEAST else f"{count}, no interval"
