"""SVHN: house numbers seen from the street, cropped to single digits (Netzer et al. 2011)."""

from functools import cached_property
from pathlib import Path

import numpy as np

from datamodules.download import Remote
from datamodules.errors import BadArchiveError, reading
from datamodules.files import Files
from datamodules.formats.mat import read_variable
from datamodules.reader import Listing
from datamodules.readers.published import Published

MD5 = {
    "train_32x32.mat": "e26dedcc434d2e4c54c9b2d4a06d8373",
    "test_32x32.mat": "eb5a983be6a315427106f1b164d9cef3",
}
MIRRORS = (
    "http://ufldl.stanford.edu/housenumbers/",
    "https://ufldl.stanford.edu/housenumbers/",
)


class Svhn(Published):
    """73,257 + 26,032 colour images of 32 x 32 pixels, ten digits (0 is labelled 10 in the file).

    The root is the folder of `train_32x32.mat`.
    """

    NAME = "svhn"

    def listing(self) -> Listing:
        """The labels; the images stay packed until one is read."""
        labels = [self._labels(path) for path in self._paths]
        return Listing(
            labels=np.concatenate(labels),
            classes=tuple(str(digit) for digit in range(10)),
            official_test=np.repeat([False, True][: len(labels)], [len(y) for y in labels]),
            files=Files.archives(self._paths, [len(y) for y in labels]),
        )

    def read(self, i: int) -> np.ndarray:
        """Image `i`, (32, 32, 3) uint8."""
        return self._images[i]

    @cached_property
    def _paths(self) -> list[Path]:
        names = list(MD5) if self.part == "all" else list(MD5)[:1]
        remotes = [
            Remote(name, f"md5:{MD5[name]}", tuple(f"{site}{name}" for site in MIRRORS))
            for name in names
        ]
        return [self.obtain(remote, "\n".join(MD5)) for remote in remotes]

    @cached_property
    def _images(self) -> np.ndarray:
        parts = []
        for path in self._paths:
            x = _variable(path, "X")
            if x.dtype != np.uint8 or x.ndim != 4 or x.shape[:3] != (32, 32, 3):
                raise BadArchiveError(path, f"its X is {x.dtype} {x.shape}, not images.")
            parts.append(x.transpose(3, 0, 1, 2))
        return np.concatenate(parts)

    def _labels(self, path: Path) -> np.ndarray:
        labels = _variable(path, "y").reshape(-1)
        if labels.dtype.kind not in "iuf":
            raise BadArchiveError(path, f"its y is {labels.dtype}, not digits.")
        labels = labels.astype(np.int64)
        if len(labels) == 0 or labels.min() < 0 or labels.max() > 10:
            raise BadArchiveError(path, "its y holds other labels than the digits 1 to 10.")
        return labels % 10


def _variable(path: Path, name: str) -> np.ndarray:
    with reading(path, "is not a complete .mat file", kind=BadArchiveError):
        found = read_variable(path, name)
        if found is None:
            raise BadArchiveError(path, f"has no variable `{name}`.")
        return found
