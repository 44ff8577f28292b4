"""Two classes in separate cells of the unit cube: robustly separable, by construction."""

import itertools
from dataclasses import dataclass

import numpy as np
import torch

from datamodules.directions import Shape
from datamodules.errors import DataError
from datamodules.law import Drawn
from datamodules.laws.sampling import as_split
from datamodules.split import Split
from records.seeds import seed_for

OTHERS = 0.5  # the value of all other numbers of an image


@dataclass
class Cells:
    r"""x uniform in one of k^d cubes of side \delta, 2 \delta apart; classes as on a chess board.

        \delta = 1 / (3k - 2):  k cells and k - 1 gaps of 2 \delta fill [0, 1]

    Points of different classes are at least 2 \delta apart in L_inf, so a classifier with margin
    \delta exists, as Theorem 2 of Prach & Lampert 2025 requires. They use the first d numbers of an
    image; the others are constant.

    Reading it: a test point is classified robustly by its nearest neighbour once a training point
    lies in its own cell: a share of at least 1 - (1 - 1/k^d)^n on average, where the theorem, which
    does not use the cells, guarantees 1 - (3k - 2)^d / (n e).
    """

    dimension: int = 2  # d
    per_side: int = 2  # k, at least 2

    def __post_init__(self) -> None:
        if self.dimension < 1 or self.per_side < 2:
            raise DataError(
                f"data.law.dimension={self.dimension}, data.law.per_side={self.per_side}: "
                "at least 1 dimension and 2 cells a side."
            )

    @property
    def delta(self) -> float:
        """The L_inf margin.

        >>> Cells(per_side=3).delta == 1 / 7
        True
        """
        return 1 / (3 * self.per_side - 2)

    def draw(self, n: int, test_n: int, shape: Shape, seed: int) -> Drawn:
        """Both splits from the same cells."""
        numbers = int(np.prod(shape))
        if self.dimension > numbers:
            raise DataError(
                f"data.law.dimension={self.dimension}, but images have {numbers} numbers; "
                "use a larger data.size."
            )
        cells = np.array(list(itertools.product(range(self.per_side), repeat=self.dimension)))

        def part(count: int, name: str) -> Split:
            random = np.random.default_rng(seed_for(seed, "law", name, "cells"))
            drawn = random.random((count, 1 + self.dimension))  # row by row: nested in n
            # independent points, as the theorem requires: neither classes nor cells are balanced
            corner = cells[(drawn[:, 0] * len(cells)).astype(int)]
            y = torch.from_numpy(corner.sum(1) % 2)
            x = np.full((count, numbers), OTHERS)
            x[:, : self.dimension] = self.delta * (3 * corner + drawn[:, 1:])
            return as_split(torch.from_numpy(x), y, shape)

        return Drawn(part(n, "train"), part(test_n, "test"))
