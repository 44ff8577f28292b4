"""Certified robust accuracy, over batches and processes."""

from collections.abc import Sequence

from torch import Tensor

from metrics.functional.certified_accuracy import (
    CertifiedAccuracyResult,
    certified_by_margins,
    margin_thresholds,
)
from metrics.functional.margin import margins
from metrics.result_metric import PooledMetric


class CertifiedAccuracy(PooledMetric[CertifiedAccuracyResult]):
    """Share of points whose class no L2 perturbation within each radius can change.

    Reading it: see `metrics.functional.certified_accuracy`, which has the same options; others are
    passed to `torchmetrics.Metric`.

    Example:
        >>> import torch
        >>> metric = CertifiedAccuracy(radii=[0.0, 1.0], lipschitz=1)
        >>> metric.update(torch.tensor([[2.0, 0.0], [1.0, 0.0]]), torch.tensor([0, 0]))
        >>> metric.result().accuracy.tolist()
        [1.0, 0.5]
    """

    higher_is_better = True

    def __init__(self, radii: Sequence[float], lipschitz: float, **kwargs: object) -> None:
        super().__init__(**kwargs)
        margin_thresholds(radii, lipschitz)  # checks both
        self.radii, self.lipschitz = radii, lipschitz
        self.add_lists("margins")

    def update(self, scores: Tensor, y: Tensor) -> None:
        """Add a batch: (points, classes) scores and (points,) class indices."""
        self.store(margins=margins(scores, y))

    def from_states(self) -> CertifiedAccuracyResult:
        """Shares of all points."""
        return certified_by_margins(self.pooled("margins"), self.radii, self.lipschitz)
