"""Binary cross-entropy on a single logit."""

from torch import Tensor
from torch.nn import functional as F

from lightning_modules.losses.loss import Loss


class BinaryCrossEntropy(Loss):
    """-log sigmoid(±score) for scores of shape (B, 1); positive means class 1.

    >>> import torch
    >>> BinaryCrossEntropy()(torch.zeros(1, 1), torch.tensor([1]))
    tensor(0.6931)
    """

    def forward(self, scores: Tensor, y: Tensor, reduction: str = "mean") -> Tensor:
        """Binary cross-entropy with logits."""
        return F.binary_cross_entropy_with_logits(
            scores[:, 0], y.to(scores.dtype), reduction=reduction
        )

    def predict(self, scores: Tensor) -> Tensor:
        """Class 1 where the logit is positive."""
        return (scores[:, 0] > 0).long()
