"""IDX files (MNIST and Fashion-MNIST), packed with gzip or not."""

import math
from functools import cached_property
from pathlib import Path
from typing import IO, ClassVar

import numpy as np

from datamodules.download import Remote
from datamodules.errors import BadArchiveError, reading
from datamodules.files import Files
from datamodules.formats.packed import open_packed
from datamodules.reader import Listing
from datamodules.readers.published import Published

LARGEST = 2**27  # bytes; MNIST's images are 47 million


def read_idx(path: Path) -> np.ndarray:
    """The uint8 array of an IDX file: 0 0 8 <dimensions>, big-endian sizes, then the bytes."""
    broken = reading(path, "cannot be unpacked", kind=BadArchiveError)
    with broken, open_packed(path) as file:
        return _read(path, file)


def _read(path: Path, file: IO[bytes]) -> np.ndarray:
    magic = file.read(4)
    dimensions = magic[3] if len(magic) == 4 else 0
    sizes = file.read(4 * dimensions)
    if magic[:3] != b"\0\0\x08" or not dimensions or len(sizes) < 4 * dimensions:
        reason = "is not an IDX file of bytes (it does not begin with 0 0 8 and sizes)."
        raise BadArchiveError(path, reason)
    shape = tuple(np.frombuffer(sizes, ">u4").tolist())
    expected = math.prod(shape)
    if expected > LARGEST:
        raise BadArchiveError(path, f"claims {expected:,} bytes, more than {LARGEST:,}.")
    content = np.empty(expected, np.uint8)
    got = file.readinto(content.data)  # type: ignore[attr-defined]  # gzip has it, IO not
    if got < expected or file.read(1):
        held = f"only {got:,}" if got < expected else "more"
        raise BadArchiveError(path, f"holds {held} bytes instead of {expected:,}.")
    return content.reshape(shape)


class IdxImages(Published):
    """A set of four IDX files: images and labels, `train` and `t10k`.

    The root is the folder of the files, packed or not, or the parent of their `raw` folder.
    """

    FOLDER: ClassVar[str]  # the folder that other libraries create below a common root
    CLASSES: ClassVar[tuple[str, ...]]
    MD5: ClassVar[dict[str, str]]  # of the four packed files
    MIRRORS: ClassVar[tuple[str, ...]]

    def listing(self) -> Listing:
        """The labels; the images stay packed until one is read."""
        images, labels = self._paths("images-idx3"), self._paths("labels-idx1")
        parts = [read_idx(path) for path in labels]
        for path, part in zip(labels, parts, strict=True):
            if part.ndim != 1 or part.max(initial=0) >= len(self.CLASSES):
                raise BadArchiveError(path, f"holds no labels 0..{len(self.CLASSES) - 1}.")
        return Listing(
            labels=np.concatenate(parts).astype(np.int64),
            classes=self.CLASSES,
            official_test=np.repeat([False, True][: len(parts)], [len(part) for part in parts]),
            files=Files.archives(images, [len(part) for part in parts]),
        )

    def read(self, i: int) -> np.ndarray:
        """Image `i`, (28, 28) uint8."""
        return self._images[i]

    @cached_property
    def _images(self) -> np.ndarray:
        labels = [len(read_idx(path)) for path in self._paths("labels-idx1")]
        parts = [read_idx(path) for path in self._paths("images-idx3")]
        for path, part, count in zip(self._paths("images-idx3"), parts, labels, strict=True):
            if part.ndim != 3 or len(part) != count:
                raise BadArchiveError(path, f"does not hold one image for each of {count} labels.")
        return np.concatenate(parts)

    def _paths(self, kind: str) -> list[Path]:
        subsets = ("train", "t10k") if self.part == "all" else ("train",)
        return [self._path(f"{subset}-{kind}-ubyte") for subset in subsets]

    def _path(self, stem: str) -> Path:
        folders = [self.root, self.root / "raw", self.root / self.FOLDER / "raw"]
        # Kaggle's copy has `train-images.idx3-ubyte`, and a folder of the same name with the file
        names = [f"{stem}.gz", stem, stem.replace("-idx", ".idx"), f"{stem}/{stem}"]
        packed = f"{stem}.gz"
        remote = Remote(
            packed, f"md5:{self.MD5[packed]}", tuple(f"{site}{packed}" for site in self.MIRRORS)
        )
        places = [folder / name for folder in folders for name in names]
        return self.obtain(remote, "\n".join(self.MD5), places)
