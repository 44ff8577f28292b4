"""The papers' laws, fitted to columns of a table."""

import math
from collections.abc import Sequence

import torch
from pandas import DataFrame
from torch import Tensor

from metrics.functional.clopper_pearson import clopper_pearson
from metrics.functional.clusters import LEAST_CLUSTERS, clusters_of
from metrics.functional.correlation import CorrelationResult, correlation
from metrics.functional.estimate import Estimate
from metrics.functional.scaling_law import ScalingLawFit, fit_scaling_law
from records.counted import counted

SHARPNESS = "data/k_f"


def tensors(points: DataFrame, *columns: str) -> list[Tensor]:
    """Columns as float64 tensors."""
    return [torch.tensor(points[column].to_numpy(float)) for column in columns]


def columns_of(estimate: Estimate, name: str) -> dict[str, float]:
    """An estimate as columns of a table: its value, `_low` and `_high`."""
    return {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}


def usable(points: DataFrame, columns: Sequence[str]) -> DataFrame:
    """The points that have a logarithm in all columns: not those of loss 0 or infinite K_F."""
    values = points[list(columns)]
    return points[((values > 0) & (values < math.inf)).all(axis=1)]


def interval_over(points: DataFrame, columns: Sequence[str] = ()) -> str:
    """What the intervals of a row are over, which every table with an interval shows.

    >>> interval_over(DataFrame({"data": ["digits", "digits"]}))
    'none: 1 data set, an interval needs 4'
    """
    sets = int(usable(points, columns).data.nunique())
    if sets >= LEAST_CLUSTERS:
        return "data sets"
    return f"none: {counted(sets, 'data set')}, an interval needs {LEAST_CLUSTERS}"


def fit_law(points: DataFrame, dimension: str, with_sharpness: bool = False) -> ScalingLawFit:
    """Law A (with sharpness) or B of some cells: see `metrics.functional.scaling_law`.

    Raises:
        ValueError: If fewer than two cells are usable.
    """
    columns = ["test/loss", "n", dimension, *([SHARPNESS] if with_sharpness else [])]
    loss, n, d, *sharpness = tensors(points, *columns)
    k = sharpness[0] if sharpness else None
    return fit_scaling_law(loss, n, d, k, groups=list(points.data))


def left_out(runs: DataFrame, columns: list[str]) -> int:
    """Runs without one of the columns: not measured, or infinite, as K_F of equal images is."""
    return int(runs[columns].isna().any(axis=1).sum())


def correlate(points: DataFrame, x: str, y: str) -> CorrelationResult:
    """Correlation over points, its interval over data sets."""
    first, second = tensors(points, x, y)
    return correlation(first, second, groups=list(points.data), domains=list(points.domain))


def fraction(points: DataFrame, hits: Tensor) -> Estimate:
    """Share of points that hit, with its interval over data sets.

    Clopper and Pearson's interval with one throw for each data set, (sum m)^2 / sum m^2 of them
    where data sets have m points: points of one data set may all agree. It is too wide where they
    do not. Korn and Graubard's number of throws, estimated from the spread between data sets, held
    a share of 0.93 in only 90 % of simulations. None with fewer than four data sets.

    >>> fraction(DataFrame({"data": ["a", "b", "c", "d"]}), torch.ones(4)).low   # 0.025^(1/4)
    0.397...
    """
    value, clusters = float(hits.double().mean()), clusters_of(list(points.data), len(points))
    if len(clusters.names) < LEAST_CLUSTERS:
        return Estimate.unknown(value)
    throws = len(points) ** 2 / float(clusters.code.bincount().square().sum())
    low, high = clopper_pearson(value * throws, throws)
    return Estimate(value, low, high)
