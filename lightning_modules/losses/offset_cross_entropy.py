"""Cross-entropy that rewards a margin, for networks of bounded Lipschitz constant."""

import torch.nn.functional as F
from torch import Tensor

from lightning_modules.losses.classification_loss import ClassificationLoss, Reduction


class OffsetCrossEntropy(ClassificationLoss):
    """Cross-entropy after subtracting an offset from the true class's score.

        T CE((s - o onehot(y)) / T, y)        (Prach & Lampert 2022)

    Reading it: about max(0, o - margin) for a small temperature T, so it vanishes once every point
    has a margin well above o; both are in units of the scores. An offset of sqrt(2) r aims at
    certification at radius r; the published 1-Lipschitz networks take sqrt(2) 36/255 and T = 1/4.
    With T = 1 and o = 0 it is `CrossEntropy`. Its gradient with respect to the scores is never
    longer than sqrt(2).

    >>> import torch
    >>> loss = OffsetCrossEntropy(offset=2.0, temperature=1.0)
    >>> loss(torch.tensor([[2.0, 0.0]]), torch.tensor([0])).exp().item()   # the lead is gone
    2.0
    """

    def __init__(self, offset: float, temperature: float) -> None:
        super().__init__()
        if not (offset >= 0 and temperature > 0):
            raise ValueError(
                f"offset={offset}, temperature={temperature}: need offset >= 0, temperature > 0"
            )
        self.offset, self.temperature = offset, temperature

    def forward(self, scores: Tensor, y: Tensor, reduction: Reduction = "mean") -> Tensor:
        """Loss of (points, classes) scores for (points,) class indices."""
        handicap = self.offset * F.one_hot(y, scores.shape[1])
        logits = (scores - handicap) / self.temperature
        return self.temperature * F.cross_entropy(logits, y, reduction=reduction)

    def extra_repr(self) -> str:
        """Settings for print(model)."""
        return f"offset={self.offset}, temperature={self.temperature}"
