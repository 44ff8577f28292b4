"""The handwritten digits that ship with scikit-learn: real images, no download."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np

from datamodules.reader import Listing


class Digits:
    """1,797 images of 8 x 8 pixels and 17 grey levels (UCI, Alpaydin & Kaynak 1998)."""

    def __init__(self, root: Path | None = None) -> None:  # the images are inside scikit-learn
        rows = read_digits()
        levels = rows[:, :-1].reshape(-1, 8, 8)
        self.images = np.round(levels * (255 / 16)).astype(np.uint8)
        self.targets = rows[:, -1].astype(np.int64)

    def listing(self) -> Listing:
        """All ten classes, about 180 images each."""
        return Listing(labels=self.targets, classes=tuple(str(digit) for digit in range(10)))

    def read(self, i: int) -> np.ndarray:
        """Image `i`, (8, 8) uint8."""
        return self.images[i]


def read_digits() -> np.ndarray:
    """Rows of 64 grey levels from 0 to 16 and the digit, (1797, 65).

    They are read from scikit-learn's file: importing `sklearn.datasets` takes longer than training.
    """
    package = find_spec("sklearn")
    for folder in (package and package.submodule_search_locations) or ():
        file = Path(folder) / "datasets" / "data" / "digits.csv.gz"
        if file.is_file():
            return np.loadtxt(file, delimiter=",")
    from sklearn.datasets import load_digits  # a version that keeps the file elsewhere

    images, digits = load_digits(return_X_y=True)
    return np.column_stack([images, digits])
