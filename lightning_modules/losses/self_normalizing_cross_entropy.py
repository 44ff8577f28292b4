"""Cross-entropy that measures margins in units of the scores' own spread."""

import torch.nn.functional as F
from torch import Tensor

from lightning_modules.losses.classification_loss import ClassificationLoss, Reduction


class SelfNormalizingCrossEntropy(ClassificationLoss):
    """Offset cross-entropy of scores divided by their standard deviation.

        CE(s / (std(s) + t) - onehot(y), y)        (Prach & Lampert 2025, Eq. 27)

    std is over the classes of each point, unbiased (not specified in the paper; its code uses
    torch's default).

    Reading it: t trades accuracy for robustness by the loss alone. At t = 0 the scale of the scores
    does not matter, so a 1-Lipschitz network need not build margins (93 % accuracy, 0 %
    certified, published); at t = 0.1 it must (77 %, 62 %), because where std(s) << t this is
    `OffsetCrossEntropy` with offset and temperature t, over t. It never reaches 0: at t = 0 ten
    classes cannot go below 0.7108. At t = 0 points whose scores are all equal have no loss (NaN),
    so do not start from a head of zeros.

    Args:
        t: Trade-off, in units of the scores, at least 0.

    Example:
        >>> import torch
        >>> scores, y = torch.eye(10)[:1], torch.tensor([0])
        >>> loss = SelfNormalizingCrossEntropy(t=0)
        >>> round(loss(scores, y).item(), 4), round(loss(1000 * scores, y).item(), 4)
        (0.7108, 0.7108)
    """

    def __init__(self, t: float) -> None:
        super().__init__()
        if not t >= 0:
            raise ValueError(f"t={t} must be at least 0; 0 for accuracy, 0.1 for robustness")
        self.t = t

    def forward(self, scores: Tensor, y: Tensor, reduction: Reduction = "mean") -> Tensor:
        """Loss of (points, classes) scores for (points,) class indices."""
        logits = scores / (scores.std(1, keepdim=True) + self.t)
        return F.cross_entropy(logits - F.one_hot(y, scores.shape[1]), y, reduction=reduction)

    def extra_repr(self) -> str:
        """Settings for print(model)."""
        return f"t={self.t}"
