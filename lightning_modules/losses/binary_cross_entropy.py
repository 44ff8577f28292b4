"""Cross-entropy of a single logit, for two classes."""

import torch.nn.functional as F
from torch import Tensor

from lightning_modules.losses.classification_loss import ClassificationLoss, Reduction


class BinaryCrossEntropy(ClassificationLoss):
    """Cross-entropy of one logit per point.

        log(1 + exp(-s)) for y = 1, log(1 + exp(s)) for y = 0

    Reading it: as `CrossEntropy` of the scores (0, s). A logit of 0 means class 0.

    >>> import torch
    >>> BinaryCrossEntropy()(torch.zeros(3, 1), torch.tensor([0, 1, 1])).exp().item()
    2.0
    """

    def forward(self, scores: Tensor, y: Tensor, reduction: Reduction = "mean") -> Tensor:
        """Loss of (points, 1) or (points,) logits for (points,) class indices 0 and 1."""
        logit = _single(scores)
        return F.binary_cross_entropy_with_logits(logit, y.to(logit.dtype), reduction=reduction)

    @staticmethod
    def predict(scores: Tensor) -> Tensor:
        """Class of each point, by the sign of its logit: (points, 1) to (points,)."""
        return (_single(scores) > 0).long()


def _single(scores: Tensor) -> Tensor:
    if scores.ndim == 2 and scores.shape[1] != 1:
        raise ValueError(
            f"scores of shape {tuple(scores.shape)}: binary cross-entropy takes one logit per "
            "point; build the network with 1 output, or use CrossEntropy"
        )
    return scores.reshape(len(scores))
