"""The handwritten digits that ship with scikit-learn: real images, no download."""

from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits

from datamodules.reader import Listing


class Digits:
    """1,797 images of 8 x 8 pixels and 17 gray levels (UCI, Alpaydin & Kaynak 1998).

    Args:
        root: not used; the images are inside scikit-learn.
    """

    def __init__(self, root: Path | None = None) -> None:
        bunch = load_digits()
        self.images = np.round(bunch.images * (255 / 16)).astype(np.uint8)
        self.targets = bunch.target.astype(np.int64)

    def listing(self) -> Listing:
        """All ten classes, about 180 images each."""
        return Listing(
            labels=self.targets,
            classes=tuple(str(digit) for digit in range(10)),
        )

    def read(self, i: int) -> np.ndarray:
        """Image `i`, (8, 8) uint8."""
        return self.images[i]
