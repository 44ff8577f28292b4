"""Plain cross-entropy."""

import torch.nn.functional as F
from torch import Tensor

from lightning_modules.losses.classification_loss import ClassificationLoss, Reduction


class CrossEntropy(ClassificationLoss):
    """Cross-entropy over logits.

        -s_y + log sum_j exp(s_j)

    Reading it: log C for equal scores, 0 for certain and correct predictions.

    >>> import torch
    >>> CrossEntropy()(torch.zeros(3, 4), torch.tensor([0, 1, 2])).exp().item()
    4.0
    """

    def forward(self, scores: Tensor, y: Tensor, reduction: Reduction = "mean") -> Tensor:
        """Loss of (points, classes) scores for (points,) class indices."""
        return F.cross_entropy(scores, y, reduction=reduction)
