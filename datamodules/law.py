"""A law gives synthetic data its examples and labels."""

from dataclasses import dataclass, field
from typing import Protocol

from torch import Tensor

from datamodules.directions import Shape
from datamodules.split import Split


@dataclass(frozen=True)
class Drawn:
    """What a law gives: two splits of float32 images, and what is known of them."""

    train: Split
    test: Split
    variants: dict[str, Split] = field(default_factory=dict)  # the test set, changed, by name
    directions: Tensor | None = None  # (k, D) float64: where the labels are decided, if anywhere


class Law(Protocol):
    """Draws two balanced classes.

    Draws come example after example, so that a training set of size n is the first n of a larger
    one, and those of the test set do not depend on n.
    """

    def draw(self, n: int, test_n: int, shape: Shape, seed: int) -> Drawn:
        """Draw n training and `test_n` test examples of this shape."""
        ...
