"""Intrinsic dimension of the points seen, by two estimators from one neighbour search."""

from typing import Any

from torch import Tensor
from torchmetrics import Metric
from torchmetrics.utilities import dim_zero_cat

from metrics.functional.mle_dimension import Average, Denominator, mle_dimension
from metrics.functional.neighbours import neighbours
from metrics.functional.twonn_dimension import twonn_dimension


class IntrinsicDimension(Metric):
    """MLE and TwoNN dimension of all images or features given to `update`.

    Reading it: see `mle_dimension` and `twonn_dimension`; when the two are far apart, one of
    them is misled, by near-duplicates (TwoNN low) or by a high dimension (MLE low).

    Args:
        k: neighbours of the MLE.
        denominator: "k-1" (printed formula) or "k-2" (published code).
        average: "harmonic" or "arithmetic".
        discard: share of the largest ratios that TwoNN leaves out.
        spare: further neighbours searched, so that points with up to so many duplicates count.
        kwargs: of `torchmetrics.Metric`.

    Example:
        >>> import torch
        >>> metric = IntrinsicDimension(k=10)
        >>> metric.update(torch.rand(500, 3, generator=torch.Generator().manual_seed(0)))
        >>> {name: round(value, 1) for name, value in metric.compute().items() if value}
        {'d_mle': 2.7, 'd_mle_low': 2.7, 'd_mle_high': 2.8, 'd_twonn': 2.9}
    """

    is_differentiable = False
    higher_is_better = None
    full_state_update = False

    points: list[Tensor]

    def __init__(
        self,
        k: int = 20,
        denominator: Denominator = "k-1",
        average: Average = "harmonic",
        discard: float = 0.1,
        spare: int = 5,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.k, self.denominator, self.average = k, denominator, average
        self.discard, self.spare = discard, spare
        self.add_state("points", default=[], dist_reduce_fx="cat")

    def update(self, x: Tensor) -> None:
        """Add (B, ...) images or features."""
        self.points.append(x)

    def compute(self) -> dict[str, float]:
        """Both estimates with their counts, by name."""
        x = dim_zero_cat(self.points)
        spare = max(0, min(self.spare, len(x) - 1 - self.k))
        found = neighbours(x, self.k + spare)
        mle = mle_dimension(found, self.k, self.denominator, self.average)
        return mle.scalars() | twonn_dimension(found, self.discard).scalars()
