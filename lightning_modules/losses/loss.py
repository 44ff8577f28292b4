"""What every loss has: a value for scores and labels, and a reading of the scores."""

from abc import ABC, abstractmethod

from torch import Tensor, nn


class Loss(nn.Module, ABC):
    """Of scores (B, outputs) and labels (B,). Attacks and evaluations use the same object."""

    @abstractmethod
    def forward(self, scores: Tensor, y: Tensor, reduction: str = "mean") -> Tensor:
        """The loss; `reduction` is `mean`, `sum` or `none` (one value per image)."""

    def predict(self, scores: Tensor) -> Tensor:
        """The class (B,) that the scores mean: the largest one."""
        return scores.argmax(dim=1)
