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
from metrics.result_metric import PooledMetric


class NeighbourScaling(PooledMetric[NeighbourScalingResult]):
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
        self.add_lists("images", "tests", "numbers")

    def update(self, x: Tensor, is_test: Tensor, number: Tensor) -> None:
        """Add (B, ...) images, whether each is for test (B,), and its index in the order (B,)."""
        self.store(images=x, tests=is_test, numbers=number)

    def from_states(self) -> NeighbourScalingResult:
        """The curve and its fits for all images."""
        order = self.pooled("numbers").argsort()
        x, is_test = self.pooled("images")[order], self.pooled("tests")[order]
        return neighbour_scaling(x[~is_test], x[is_test], **self.options)
