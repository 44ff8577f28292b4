"""The papers' laws, fitted to columns of a table."""

import math
from collections.abc import Sequence

import torch
from pandas import DataFrame
from torch import Tensor

from metrics.functional.clopper_pearson import clopper_pearson_lower
from metrics.functional.cluster_bootstrap import bootstrap_weights, clusters_of
from metrics.functional.correlation import CorrelationResult, correlation
from metrics.functional.estimate import Estimate
from metrics.functional.scaling_law import ScalingLawFit, fit_scaling_law

SHARPNESS = "data/k_f"


def tensors(points: DataFrame, *columns: str) -> list[Tensor]:
    """Columns as float64 tensors."""
    return [torch.tensor(points[column].to_numpy(float)) for column in columns]


def usable(points: DataFrame, columns: Sequence[str]) -> DataFrame:
    """The points that have a logarithm in all columns: not those of loss 0 or infinite K_F."""
    values = points[list(columns)]
    return points[((values > 0) & (values < math.inf)).all(axis=1)]


def groups(points: DataFrame, columns: Sequence[str] = ()) -> list[str] | None:
    """What intervals are over: whole data sets; single points where one data set is usable."""
    return list(points.data) if usable(points, columns).data.nunique() > 1 else None


def resampled(points: DataFrame, columns: Sequence[str] = ()) -> str:
    """The word for `groups`, which every table with an interval shows."""
    return "points" if groups(points, columns) is None else "data sets"


def fit_law(points: DataFrame, dimension: str, with_sharpness: bool = False) -> ScalingLawFit:
    """Law A (with sharpness) or B of some cells: see `metrics.functional.scaling_law`.

    Raises:
        ValueError: If fewer than two cells are usable.
    """
    columns = ["test/loss", "n", dimension, *([SHARPNESS] if with_sharpness else [])]
    return fit_scaling_law(*tensors(points, *columns), groups=groups(points, columns))


def left_out(runs: DataFrame, columns: list[str]) -> int:
    """Runs without one of the columns: not measured, or infinite, as K_F of equal images is."""
    return int(runs[columns].isna().any(axis=1).sum())


def correlate(points: DataFrame, x: str, y: str) -> CorrelationResult:
    """Correlation over points, whole data sets resampled within their domains."""
    first, second = tensors(points, x, y)
    return correlation(first, second, groups=groups(points), domains=list(points.domain))


def share(points: DataFrame, hits: Tensor) -> Estimate:
    """Share of points that hit, with its interval over data sets.

    The interval is 0 to 1 where fewer than three data sets are there: half the resamples of two
    are one of them twice. Where all points hit or none does, resamples do not differ; then a data
    set counts as one throw, and the interval is Clopper and Pearson's.

    >>> share(DataFrame({"data": ["a", "b", "c"]}), torch.ones(3)).low   # 0.025^(1/3)
    0.292...
    """
    value = float(hits.double().mean())
    labels = groups(points)
    if labels is None or len(set(labels)) < 3:
        return Estimate(value, 0.0, 1.0)
    clusters = clusters_of(labels, len(points))
    if value in (0.0, 1.0):
        sets = len(clusters.names)
        reach = float(clopper_pearson_lower(torch.tensor(sets), sets, alpha=0.025))
        return Estimate(1.0, reach, 1.0) if value else Estimate(0.0, 0.0, 1 - reach)
    weights = bootstrap_weights([0] * len(clusters.names), resamples=1000, seed=0)
    ones = torch.ones(len(points), dtype=torch.float64)
    means = (weights @ clusters.sums(hits.double())) / (weights @ clusters.sums(ones))
    return Estimate.of_resamples(value, means)
