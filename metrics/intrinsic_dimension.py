"""Intrinsic dimension of the points seen, by two estimators from one neighbour search."""

from dataclasses import dataclass

from torch import Tensor
from torchmetrics.utilities import dim_zero_cat

from metrics.functional.mle_dimension import Average, Denominator, MLEDimension, mle_dimension
from metrics.functional.neighbours import neighbours
from metrics.functional.twonn_dimension import TwoNNDimension, twonn_dimension
from metrics.result_metric import ResultMetric


@dataclass(frozen=True)
class IntrinsicDimensionResult:
    """Two estimates from one neighbour search."""

    mle: MLEDimension
    twonn: TwoNNDimension

    def scalars(self) -> dict[str, float]:
        """Both estimates with their counts, by name."""
        return self.mle.scalars() | self.twonn.scalars()


class IntrinsicDimension(ResultMetric[IntrinsicDimensionResult]):
    """MLE and TwoNN dimension of all images or features given to `update`.

    Reading it: see `mle_dimension` and `twonn_dimension`; when the two are far apart, one of
    them is misled, by near-duplicates (TwoNN low) or by a high dimension (MLE low).

    Args:
        k: Neighbours of the MLE.
        denominator: "k-1" (printed formula) or "k-2" (published code).
        average: "harmonic" or "arithmetic".
        discard: Share of the largest ratios that TwoNN leaves out.
        spare: Further neighbours searched, so that points with up to so many duplicates count.
        **kwargs: Passed to `torchmetrics.Metric`.

    Example:
        >>> import torch
        >>> metric = IntrinsicDimension(k=10)
        >>> metric.update(torch.rand(500, 3, generator=torch.Generator().manual_seed(0)))
        >>> found = metric.result()
        >>> round(found.mle.dimension, 1), round(found.twonn.dimension, 1)
        (2.7, 2.9)
    """

    points: list[Tensor]

    def __init__(
        self,
        k: int = 20,
        denominator: Denominator = "k-1",
        average: Average = "harmonic",
        discard: float = 0.1,
        spare: int = 5,
        **kwargs: object,
    ) -> None:
        super().__init__(**kwargs)
        self.k, self.denominator, self.average = k, denominator, average
        self.discard, self.spare = discard, spare
        self.add_state("points", default=[], dist_reduce_fx="cat")

    def update(self, x: Tensor) -> None:
        """Add (B, ...) images or features."""
        self.points.append(x)

    def from_states(self) -> IntrinsicDimensionResult:
        """Both estimates for all points."""
        if len(self.points) == 0:
            raise ValueError("the dimension of 0 points is undefined: call update first")
        x = dim_zero_cat(self.points)
        spare = max(0, min(self.spare, len(x) - 1 - self.k))
        found = neighbours(x, self.k + spare)
        mle = mle_dimension(found, self.k, self.denominator, self.average)
        return IntrinsicDimensionResult(mle, twonn_dimension(found, self.discard))
