"""Intrinsic dimension of the points of all updates, by two estimators."""

from typing import Any

from torch import Tensor

from metrics.functional.intrinsic_dimension import IntrinsicDimensionResult, intrinsic_dimension
from metrics.functional.mle_dimension import Average, Denominator
from metrics.result_metric import PooledMetric


class IntrinsicDimension(PooledMetric[IntrinsicDimensionResult]):
    """MLE and TwoNN dimension of the images or features of all updates.

    Reading it: see `metrics.functional.intrinsic_dimension`, which has the same options; others are
    passed to `torchmetrics.Metric`. With up to k points `compute` returns TwoNN alone, and
    `result().missing` has the reason.

    Example:
        >>> import torch
        >>> metric = IntrinsicDimension(k=10)
        >>> metric.update(torch.rand(500, 3, generator=torch.Generator().manual_seed(0)))
        >>> found = metric.result()
        >>> round(found.mle.dimension, 1), round(found.twonn.dimension, 1)
        (2.7, 2.9)
    """

    def __init__(
        self,
        k: int = 20,
        denominator: Denominator = "k-1",
        average: Average = "harmonic",
        discard: float = 0.1,
        **kwargs: object,
    ) -> None:
        super().__init__(**kwargs)
        self.options: dict[str, Any] = {"k": k, "denominator": denominator, "average": average}
        self.options["discard"] = discard
        self.add_lists("points")

    def update(self, x: Tensor) -> None:
        """Add (B, ...) images or features."""
        self.store(points=x)

    def from_states(self) -> IntrinsicDimensionResult:
        """Both estimates for all points."""
        return intrinsic_dimension(self.pooled("points"), **self.options)
