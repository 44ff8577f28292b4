"""Cross-entropy that measures margins in units of the scores' own spread."""

import torch.nn.functional as F
from torch import Tensor

from lightning_modules.losses.classification_loss import ClassificationLoss, Reduction


class SelfNormalizingCrossEntropy(ClassificationLoss):
    """Offset cross-entropy of scores divided by their standard deviation.

        CE(s / (std(s) + t) - onehot(y), y)        (Prach & Lampert 2025, Eq. 27)

    std is over the classes of each point, unbiased (not specified in the paper; its code uses
    torch's default). t is in units of the scores.

    Reading it: t trades accuracy for robustness by the loss alone. At t = 0 the scale of the scores
    does not matter, so a 1-Lipschitz network has no reason to build margins (published: 93 %
    accuracy, 0 % certified); at t = 0.1 it has (77 %, 62 %), because for std(s) << t this is
    `OffsetCrossEntropy` with offset and temperature t, divided by t. It never reaches 0: at t = 0
    the minimum for ten classes is 0.7108. At t = 0 points whose scores are all equal have no loss
    (NaN), so do not start from a head of zeros.

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
