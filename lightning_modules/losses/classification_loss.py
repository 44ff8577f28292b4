"""Interface of losses: a value to minimise, and the predicted class of scores."""

from abc import ABC, abstractmethod
from typing import Literal

from torch import Tensor, nn

Reduction = Literal["mean", "sum", "none"]


class ClassificationLoss(nn.Module, ABC):
    """A loss over the scores of a classifier.

    It also predicts, because it defines the meaning of scores: the largest of several, or the sign
    of a single one.
    """

    @abstractmethod
    def forward(self, scores: Tensor, y: Tensor, reduction: Reduction = "mean") -> Tensor:
        """Loss of (points, classes) scores for (points,) class indices."""

    @staticmethod
    def predict(scores: Tensor) -> Tensor:
        """Class of each point: (points, classes) to (points,)."""
        return scores.argmax(1)
