"""Pickled batches of CIFAR images (Krizhevsky 2009), read without executing their content."""

from abc import abstractmethod
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from datamodules.download import Remote, unpack
from datamodules.errors import BadArchiveError, reading
from datamodules.files import Files
from datamodules.formats.pickled_arrays import read_pickle
from datamodules.reader import Listing
from datamodules.readers.published import Published

PIXELS = 3 * 32 * 32  # red, green and blue planes


def unpickle(path: Path) -> dict[bytes, Any]:
    """The content of a published pickle: lists, texts and arrays only; BadArchiveError if else."""
    with reading(path, "is no CIFAR batch", kind=BadArchiveError):
        content: dict[bytes, Any] = read_pickle(path)
    if not isinstance(content, dict):
        raise BadArchiveError(path, f"is no CIFAR batch (a {type(content).__name__}).")
    return content


def read_batch(path: Path, labels: bytes, classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Labels, stored under the key `labels`, and (N, 3072) pixels of a pickled batch."""
    batch = unpickle(path)
    if not {labels, b"data"} <= set(batch):
        lacking = ", ".join(name.decode() for name in (labels, b"data") if name not in batch)
        raise BadArchiveError(path, f"is no CIFAR batch (it has no {lacking}).")
    pixels, found = batch[b"data"], batch[labels]
    # checked before numpy does: nested lists can expand to any size
    if not isinstance(found, list) or not all(type(k) is int and 0 <= k < 256 for k in found):
        raise BadArchiveError(path, "has labels that are not numbers from 0 to 255.")
    if not isinstance(pixels, np.ndarray):
        raise BadArchiveError(path, "contains no array of pixels.")
    y = np.array(found, np.uint8)
    if pixels.dtype != np.uint8 or pixels.shape != (len(y), PIXELS):
        raise BadArchiveError(path, f"holds {pixels.dtype} {pixels.shape}, not images.")
    return check_labels(path, y, classes), pixels


def check_labels(path: Path, labels: np.ndarray, classes: int) -> np.ndarray:
    """The labels; BadArchiveError unless all are below `classes`."""
    if labels.max(initial=0) >= classes:
        top = classes - 1
        raise BadArchiveError(path, f"holds the label {labels.max()}; there are 0 to {top}.")
    return labels


class CifarImages(Published):
    """Colour images of 32 x 32 pixels in batches, each with its labels.

    The root holds the batches, their folder or the archive.
    """

    ARCHIVE: ClassVar[Remote]
    FOLDER: ClassVar[str]  # of the archive
    TREE: ClassVar[str]

    @property
    @abstractmethod
    def classes(self) -> tuple[str, ...]:
        """Names of the labels."""

    @property
    @abstractmethod
    def paths(self) -> list[Path]:
        """The batches, those of the official test set named `test...`."""

    @abstractmethod
    def batch(self, path: Path) -> tuple[np.ndarray, np.ndarray]:
        """Labels and (N, 3072) pixels of a batch."""

    def listing(self) -> Listing:
        """The labels; they are stored between the images, so all files are read."""
        labels = [batch[0] for batch in self._batches]
        tested = [path.name.startswith("test") for path in self.paths]
        return Listing(
            labels=np.concatenate(labels).astype(np.int64),
            classes=self.classes,
            official_test=np.repeat(tested, [len(y) for y in labels]),
            files=Files.archives(self.paths, [len(y) for y in labels]),
        )

    def read(self, i: int) -> np.ndarray:
        """Image `i`, (32, 32, 3) uint8."""
        return self._images[i].reshape(3, 32, 32).transpose(1, 2, 0)

    def folder_of(self, *batches: str) -> Path:
        """The folder of the first of these batches below the root; else that of the archive."""
        for batch in batches:
            if (self.root / batch).is_file():
                return (self.root / batch).parent
        return unpack(self.obtain(self.ARCHIVE, self.TREE), self.FOLDER)

    @cached_property
    def _images(self) -> np.ndarray:
        return np.concatenate([batch[1] for batch in self._batches])

    @cached_property
    def _batches(self) -> list[tuple[np.ndarray, np.ndarray]]:
        return [self.batch(path) for path in self.paths]


def in_folder(folder: Path, names: list[str]) -> list[Path]:
    """The files of these names; BadArchiveError lists those that are missing."""
    missing = [name for name in names if not (folder / name).is_file()]
    if missing:
        raise BadArchiveError(folder, f"lacks {', '.join(missing)}.", "Unpack the archive again.")
    return [folder / name for name in names]
