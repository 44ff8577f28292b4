"""CIFAR-100: tiny colour photographs of a hundred classes (Krizhevsky 2009), Python version."""

from functools import cached_property
from pathlib import Path

import numpy as np

from datamodules.download import Remote
from datamodules.errors import BadArchiveError
from datamodules.readers.cifar_batch import CifarImages, in_folder, read_batch, unpickle

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


class Cifar100(CifarImages):
    """50,000 + 10,000 colour images of 32 x 32 pixels, a hundred classes."""

    NAME, ARCHIVE, FOLDER, TREE = "cifar100", ARCHIVE, PYTHON, f"{PYTHON}/train, test, meta"

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """The fine classes, as the archive names them."""
        (meta,) = in_folder(self._folder, ["meta"])
        names = unpickle(meta).get(b"fine_label_names", [])
        if len(names) != CLASSES:
            raise BadArchiveError(meta, f"names {len(names)} classes, not {CLASSES}.")
        return tuple(name.decode() for name in names)

    @cached_property
    def paths(self) -> list[Path]:
        """The training batch and, for all parts, the test batch."""
        return in_folder(self._folder, ["train"] + ["test"] * (self.part == "all"))

    def batch(self, path: Path) -> tuple[np.ndarray, np.ndarray]:
        """Fine labels and pixels."""
        return read_batch(path, b"fine_labels", CLASSES)

    @cached_property
    def _folder(self) -> Path:
        return self.folder_of(f"{PYTHON}/train", "train")
