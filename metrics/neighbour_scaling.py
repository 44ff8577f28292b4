"""Nearest-neighbour scaling of the training and test images of all updates."""

from collections.abc import Sequence
from typing import Any

from torch import Tensor

from metrics.functional.neighbour_scaling import (
    Distance,
    NeighbourScalingResult,
    Statistic,
    neighbour_scaling,
)
from metrics.result_metric import ResultMetric, joined


class NeighbourScaling(ResultMetric[NeighbourScalingResult]):
    """d* of the images of all updates.

    Reading it: see `metrics.functional.neighbour_scaling`, which has the same options; others are
    passed to `torchmetrics.Metric`.

    Example:
        >>> import torch
        >>> points = torch.rand(5000, 2, generator=torch.Generator().manual_seed(0))
        >>> scaling = NeighbourScaling(sizes=[100, 4000])
        >>> scaling.update(points, torch.arange(5000) >= 4000, torch.arange(5000))
        >>> round(scaling.result().d_star, 1)
        2.0
    """

    images: list[Tensor]
    tests: list[Tensor]
    numbers: list[Tensor]

    def __init__(
        self,
        sizes: Sequence[int],
        metric: Distance = "l2",
        statistic: Statistic = "median",
        fit_from: int = 1,
        **kwargs: object,
    ) -> None:
        super().__init__(**kwargs)
        self.options: dict[str, Any] = {"sizes": list(sizes), "metric": metric}
        self.options |= {"statistic": statistic, "fit_from": fit_from}
        for state in ("images", "tests", "numbers"):
            self.add_state(state, default=[], dist_reduce_fx="cat")

    def update(self, x: Tensor, is_test: Tensor, number: Tensor) -> None:
        """Add (B, ...) images, whether each is for test (B,), and its index in the order (B,)."""
        self.images.append(x.detach().clone())  # the caller may reuse its buffer
        self.tests.append(is_test.detach().clone())
        self.numbers.append(number.detach().clone())

    def from_states(self) -> NeighbourScalingResult:
        """The curve and its fits for all images."""
        what = "the scaling of 0 images"
        order = joined(self.numbers, what).argsort()
        x, is_test = joined(self.images, what)[order], joined(self.tests, what)[order]
        return neighbour_scaling(x[~is_test], x[is_test], **self.options)
