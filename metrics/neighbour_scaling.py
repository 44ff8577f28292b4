"""Nearest-neighbour scaling between the training and the test images seen."""

from collections.abc import Sequence
from typing import Any

from torch import Tensor
from torchmetrics import Metric
from torchmetrics.utilities import dim_zero_cat

from metrics.functional.neighbour_scaling import Distance, Statistic, neighbour_scaling


class NeighbourScaling(Metric):
    """d* of all images given to `update`; see `metrics.functional.neighbour_scaling`.

    Args:
        sizes: numbers of training images, ascending.
        metric: "l2" or "angular".
        statistic: "median" or "mean" over test images.
        fit_from: smallest n in the fits.
        kwargs: of `torchmetrics.Metric`.

    Example:
        >>> import torch
        >>> points = torch.rand(5000, 2, generator=torch.Generator().manual_seed(0))
        >>> scaling = NeighbourScaling(sizes=[100, 4000])
        >>> scaling.update(points, torch.arange(5000) >= 4000, torch.arange(5000))
        >>> round(scaling.compute()["d_star"], 1)
        2.0
    """

    is_differentiable = False
    higher_is_better = None
    full_state_update = False

    images: list[Tensor]
    tests: list[Tensor]
    numbers: list[Tensor]

    def __init__(
        self,
        sizes: Sequence[int],
        metric: Distance = "l2",
        statistic: Statistic = "median",
        fit_from: int = 1,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.sizes, self.metric, self.statistic = list(sizes), metric, statistic
        self.fit_from = fit_from
        for state in ("images", "tests", "numbers"):
            self.add_state(state, default=[], dist_reduce_fx="cat")

    def update(self, x: Tensor, is_test: Tensor, number: Tensor) -> None:
        """Add (B, ...) images, whether each is for test (B,), and its place in the order (B,)."""
        self.images.append(x)
        self.tests.append(is_test)
        self.numbers.append(number)

    def compute(self) -> dict[str, float]:
        """The fits and the nearest distances at the largest n, by name."""
        order = dim_zero_cat(self.numbers).argsort()
        x, is_test = dim_zero_cat(self.images)[order], dim_zero_cat(self.tests)[order]
        return neighbour_scaling(
            x[~is_test],
            x[is_test],
            self.sizes,
            metric=self.metric,
            statistic=self.statistic,
            fit_from=self.fit_from,
        ).scalars()
