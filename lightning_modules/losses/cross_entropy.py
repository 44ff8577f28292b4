"""Softmax cross-entropy over the classes."""

from torch import Tensor
from torch.nn import functional as F

from lightning_modules.losses.loss import Loss


class CrossEntropy(Loss):
    """-log softmax(scores)[y].

    >>> import torch
    >>> CrossEntropy()(torch.zeros(1, 2), torch.tensor([0]))
    tensor(0.6931)
    """

    def forward(self, scores: Tensor, y: Tensor, reduction: str = "mean") -> Tensor:
        """Cross-entropy of (B, outputs) scores; more outputs than classes are allowed."""
        return F.cross_entropy(scores, y, reduction=reduction)
