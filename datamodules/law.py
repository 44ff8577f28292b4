"""Interface of the laws that synthetic data are drawn from."""

from dataclasses import dataclass, field
from typing import Protocol

from torch import Tensor

from datamodules.directions import Shape
from datamodules.split import Split


@dataclass(frozen=True)
class Drawn:
    """Result of a draw: two splits of float32 images, with their variants and directions."""

    train: Split
    test: Split
    variants: dict[str, Split] = field(default_factory=dict)  # the test set, changed, by name
    directions: Tensor | None = None  # (k, D) float64: directions that determine the labels, if any


class Law(Protocol):
    """Draws two balanced classes.

    Draws come example after example, so that a training set of size n is the first n of a larger
    one, and those of the test set do not depend on n.
    """

    def draw(self, n: int, test_n: int, shape: Shape, seed: int) -> Drawn:
        """Draw n training and `test_n` test examples of this shape."""
        ...
