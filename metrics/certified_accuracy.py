"""Certified robust accuracy, over batches and processes."""

from collections.abc import Sequence

import torch
from torch import Tensor

from metrics.functional.certified_accuracy import CertifiedAccuracyResult, margin_thresholds
from metrics.functional.certified_curve import certified_counts
from metrics.functional.margin import margins
from metrics.result_metric import ResultMetric


class CertifiedAccuracy(ResultMetric[CertifiedAccuracyResult]):
    """Share of points whose class no L2 perturbation within each radius can change.

    Reading it: see `metrics.functional.certified_accuracy`, which has the same options; others are
    passed to `torchmetrics.Metric`. Only sums are stored, so the result has a mean margin but no
    median.

    Example:
        >>> metric = CertifiedAccuracy(radii=[0.0, 1.0], lipschitz=1)
        >>> metric.update(torch.tensor([[2.0, 0.0], [1.0, 0.0]]), torch.tensor([0, 0]))
        >>> metric.result().accuracy.tolist()
        [1.0, 0.5]
    """

    higher_is_better = True

    certified: Tensor
    margin_sum: Tensor
    points: Tensor
    undefined: Tensor

    def __init__(self, radii: Sequence[float], lipschitz: float, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.radii = torch.as_tensor(radii, dtype=torch.float64)
        self.thresholds = margin_thresholds(radii, lipschitz)
        nothing = certified_counts(torch.empty(0), self.thresholds)  # zeros; also checks the radii
        self.add_state("certified", nothing, dist_reduce_fx="sum")
        self.add_state("margin_sum", torch.zeros((), dtype=torch.float64), dist_reduce_fx="sum")
        self.add_state("points", torch.tensor(0), dist_reduce_fx="sum")
        self.add_state("undefined", torch.tensor(0), dist_reduce_fx="sum")

    def update(self, scores: Tensor, y: Tensor) -> None:
        """Add a batch: (points, classes) scores and (points,) class indices."""
        margin = margins(scores, y)
        self.certified += certified_counts(margin, self.thresholds)
        self.margin_sum += margin.nansum()
        self.points += len(margin)
        self.undefined += margin.isnan().sum()

    def from_states(self) -> CertifiedAccuracyResult:
        """Shares of all points."""
        if self.points == 0:
            raise ValueError("the certified accuracy of 0 points is undefined: call update first")
        known = int(self.points - self.undefined)
        return CertifiedAccuracyResult(
            radii=self.radii,
            accuracy=self.certified.double() / self.points,
            mean_margin=float(self.margin_sum) / known if known else None,
            median_margin=None,
            points=int(self.points),
            undefined=int(self.undefined),
        )
