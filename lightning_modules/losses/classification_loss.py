"""What every loss offers: a value to minimise, and the class that its scores mean."""

from abc import ABC, abstractmethod
from typing import Literal

from torch import Tensor, nn

Reduction = Literal["mean", "sum", "none"]


class ClassificationLoss(nn.Module, ABC):
    """A loss over the scores of a classifier.

    `predict` belongs to the loss, for it is the loss that gives scores their meaning: the largest
    of several, or the sign of a single one.
    """

    @abstractmethod
    def forward(self, scores: Tensor, y: Tensor, reduction: Reduction = "mean") -> Tensor:
        """Loss of (points, classes) scores for (points,) class indices.

        Args:
            scores: What the network says.
            y: What is true.
            reduction: "mean" or "sum" over the points, or "none" for one loss a point.
        """

    @staticmethod
    def predict(scores: Tensor) -> Tensor:
        """Class of each point: (points, classes) to (points,)."""
        return scores.argmax(1)
