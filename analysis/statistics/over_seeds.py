"""The one average over seeds: means, Student's 95 % intervals from three seeds on, and lines."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray
from pandas import DataFrame, Series
from scipy.special import stdtrit

from analysis.runs.run_row import draw_without_fold

LEAST = 3  # seeds for an interval: of two, Student's t takes twelve deviations
CONFIDENCE = 0.95
WIDEST = 100  # factor between a mean and the end of its interval on a logarithmic axis


def half_width(deviation: ArrayLike, count: ArrayLike) -> NDArray[np.float64]:
    """Half of the interval of a mean by Student's t; NaN for fewer than three values.

    >>> half_width([1.0, 1.0], [3, 2]).round(3)   # 4.303 / sqrt(3)
    array([2.484,   nan])
    """
    n = np.asarray(count, dtype=float)
    half = stdtrit(np.maximum(n - 1, 1), (1 + CONFIDENCE) / 2) * np.asarray(deviation) / n**0.5
    return np.where(n < LEAST, np.nan, half)


def limits_of(name: str) -> tuple[float, float]:
    """Least and largest possible value of a quantity, by its name: of accuracies and dimensions.

    >>> [limits_of(name) for name in ("test/cra@36", "data/d_mle", "test/fgsm_accuracy_penalty")]
    [(0.0, 1.0), (0.0, inf), (-inf, inf)]
    """
    if "penalty" in name:
        return -math.inf, math.inf
    if "accuracy" in name or "cra" in name:
        return 0.0, 1.0
    return (0.0 if "/d_" in name else -math.inf), math.inf


def over_seeds(table: DataFrame, by: Sequence[str], columns: str | Mapping[str, str]) -> DataFrame:
    """Means for every group of rows, with 95 % intervals over the rows.

    The folds of one draw share most of their images, so that their mean counts as one row.

    Args:
        table: one row per run, or per run and epoch; rows without any of `columns` are left out.
        by: columns that define the groups.
        columns: to average, by their names in the result; a single one is called `y`.

    Returns:
        `by`; the mean under each name, with `_low` and `_high` (NaN for fewer than three rows, cut
        at `limits_of` the quantity); runs.
    """
    named = {"y": columns} if isinstance(columns, str) else columns
    averaged = list(dict.fromkeys(named.values()))
    rows = table.dropna(subset=averaged, how="all")
    grouped = _with_mean_of_folds(rows, by, averaged).groupby(list(by), sort=True)
    values = grouped[averaged]
    means, deviations, counts = values.mean(), values.std(), values.count()
    found: dict[str, NDArray[np.float64]] = {}
    for name, column in named.items():
        mean = means[column].to_numpy(float)
        half = half_width(deviations[column].to_numpy(float), counts[column])
        low, high = limits_of(column)
        ends = {"_low": (mean - half).clip(low, high), "_high": (mean + half).clip(low, high)}
        found |= {name: mean} | {name + end: place for end, place in ends.items()}
    found["runs"] = grouped.size().to_numpy()
    return DataFrame(found, index=means.index).reset_index()


def _with_mean_of_folds(rows: DataFrame, by: Sequence[str], columns: Sequence[str]) -> DataFrame:
    if "draw" not in rows:
        return rows
    draws = rows["draw"].map(draw_without_fold)
    folded = draws != rows["draw"]
    if not folded.any():
        return rows
    unit = list(dict.fromkeys([*by, "seed", "draw"]))
    folds = rows[folded].assign(draw=draws[folded]).groupby(unit)[list(dict.fromkeys(columns))]
    return pd.concat([rows[~folded], folds.mean().reset_index()], ignore_index=True)


def over_seeds_by_epoch(table: DataFrame, column: str) -> DataFrame:
    """`over_seeds` of one row per run (`key`) and epoch, for every epoch that all runs have.

    Runs with a stop rule end at different epochs: their ends count as one, at the mean epoch.
    """
    last = table.groupby("key").epoch.transform("max")
    end = table[table.epoch == last].assign(epoch=last[table.epoch == last].mean())
    before = table[(table.epoch < last) & (table.epoch < end.epoch.iloc[0])]
    points, ends = (over_seeds(part, ["epoch"], column) for part in (before, end))
    points = points[points.runs >= ends.runs.max()]
    return pd.concat([points, ends], ignore_index=True) if len(points) else ends


def ends_of(points: DataFrame, name: str = "y", scale: str = "linear") -> NDArray[np.float64]:
    """Ends of the intervals as an axis shows them, (2, points).

    On a logarithmic axis they are those of the log of the mean, by the delta method:
    mean * exp(-half/mean) and mean * exp(half/mean), as Student's own may lie below 0. A mean that
    is this uncertain by a factor of more than 100 has none. Intervals that are not symmetric, such
    as that of K_F over draws, are not Student's and stay.

    >>> points = DataFrame({"y": [1.0, 1.0], "y_low": [-1.0, 0.9], "y_high": [3.0, 1.4]})
    >>> ends_of(points).tolist(), ends_of(points, scale="log").round(3).tolist()
    ([[-1.0, 0.9], [3.0, 1.4]], [[0.135, 0.9], [7.389, 1.4]])
    """
    mean, low, high = (points[name + end].to_numpy(float) for end in ("", "_low", "_high"))
    if scale == "log":
        students = np.isclose(low + high, 2 * mean, rtol=1e-9, atol=0)
        factor = np.exp((high - mean) / np.where(mean > 0, mean, np.nan))
        factor = np.where(factor > WIDEST, np.nan, factor)
        low, high = np.where(students, [mean / factor, mean * factor], [low, high])
    return np.stack([low, high])


def bars_of(points: DataFrame, name: str = "y", scale: str = "linear") -> NDArray[np.float64]:
    """Lengths of error bars below and above the means, (2, points); 0 without an interval."""
    mean = points[name].to_numpy(float)
    return np.nan_to_num(np.abs(ends_of(points, name, scale) - mean))


def bar_line(axes: Axes, places: Sequence[float], points: DataFrame, **style: Any) -> None:
    """A line through means with bars to the ends of their intervals, where they have one."""
    bars = bars_of(points, scale=axes.get_yscale())
    axes.errorbar(places, points.y, bars, capsize=2.5, markersize=4, linewidth=1, **style)


def band(axes: Axes, table: DataFrame, x: str, y: str, **style: Any) -> DataFrame:
    """A line of means over seeds with a band to the ends of their intervals; returns its points.

    The scale of the axes must be set. `style` is of the line: color, label, linestyle, marker.
    """
    points = over_seeds(table.dropna(subset=[x]), [x], y)
    places = points[x].astype(float)
    if len(points) == 1:  # a band over one place is not seen
        bar_line(axes, places, points, **style)
        return points
    shown = points.y.where(points.y > 0) if axes.get_yscale() == "log" else points.y
    (line,) = axes.plot(places, shown, **{"linewidth": 1.4, "markersize": 4} | style)
    low, high = ends_of(points, scale=axes.get_yscale())
    axes.fill_between(places, low, high, color=line.get_color(), alpha=0.2, linewidth=0)
    return points


def seeds_note(runs: int | Series, what: str = "seed") -> str:
    """What bars and bands are, and how many runs are behind them.

    >>> seeds_note(3), seeds_note(Series([1, 2])), seeds_note(Series([3, 5]))
    ('95 % intervals over 3 seeds', '1 to 2 seeds, no interval', '95 % intervals over 3 to 5 seeds')
    """
    low, high = (runs, runs) if isinstance(runs, int) else (int(runs.min()), int(runs.max()))
    count = f"{high if low == high else f'{low} to {high}'} {what}{'s' * (high > 1)}"
    return f"95 % intervals over {count}" if high >= LEAST else f"{count}, no interval"
