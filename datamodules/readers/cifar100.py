"""CIFAR-100: tiny colour photographs of a hundred classes (Krizhevsky 2009), Python version."""

from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np

from datamodules.download import Remote, unpack
from datamodules.errors import BadArchiveError
from datamodules.identity import digest, stamp
from datamodules.reader import Listing
from datamodules.readers.cifar_batch import read_batch, unpickle
from datamodules.readers.published import obtain

ARCHIVE = Remote(
    "cifar-100-python.tar.gz",
    "md5:eb9058c3a382ffc7106e4002c42a8d85",
    (
        "https://www.cs.toronto.edu/~kriz/cifar-100-python.tar.gz",
        "https://cave.cs.toronto.edu/kriz/cifar-100-python.tar.gz",
    ),
)
PYTHON = "cifar-100-python"
CLASSES = 100


class Cifar100:
    """50,000 + 10,000 colour images of 32 x 32 pixels, a hundred classes.

    Args:
        root: the folder that holds `cifar-100-python` or the archive.
        part: `train`: the official training images alone; `all`: the official test images too.
        download: fetch the archive if nothing is there.
    """

    def __init__(
        self, root: Path, part: Literal["train", "all"] = "train", download: bool = True
    ) -> None:
        self.root, self.part, self.download = Path(root), part, download

    def listing(self) -> Listing:
        """The labels; they lie between the images, so that all files are read."""
        labels = [batch[0] for batch in self._batches]
        names = unpickle(self._folder / "meta").get(b"fine_label_names", [])
        if len(names) != CLASSES:
            reason = f"names {len(names)} classes, not {CLASSES}."
            raise BadArchiveError(self._folder / "meta", reason, "Unpack the archive again.")
        return Listing(
            labels=np.concatenate(labels).astype(np.int64),
            classes=tuple(name.decode() for name in names),
            official_test=np.repeat(
                [path.name == "test" for path in self._paths], [len(y) for y in labels]
            ),
            fingerprint=digest([stamp(path) for path in self._paths]),
        )

    def read(self, i: int) -> np.ndarray:
        """Image `i`, (32, 32, 3) uint8."""
        return self._images[i].reshape(3, 32, 32).transpose(1, 2, 0)

    @cached_property
    def _images(self) -> np.ndarray:
        return np.concatenate([batch[1] for batch in self._batches])

    @cached_property
    def _batches(self) -> list[tuple[np.ndarray, np.ndarray]]:
        return [read_batch(path, b"fine_labels", CLASSES) for path in self._paths]

    @cached_property
    def _paths(self) -> list[Path]:
        names = ["train", *(["test"] if self.part == "all" else [])]
        missing = [name for name in (*names, "meta") if not (self._folder / name).is_file()]
        if missing:
            raise BadArchiveError(
                self._folder, f"lacks {', '.join(missing)}.", "Unpack the archive again."
            )
        return [self._folder / name for name in names]

    @cached_property
    def _folder(self) -> Path:
        for folder in (self.root / PYTHON, self.root):
            if (folder / "train").is_file():
                return folder
        tree = f"{PYTHON}/train, test, meta"
        place = [self.root / ARCHIVE.name]
        return unpack(obtain("cifar100", self.root, ARCHIVE, place, self.download, tree), PYTHON)
