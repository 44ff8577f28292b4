"""MedMNIST v2: twelve sets of small medical images with official splits (Yang et al. 2023)."""

import csv
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np

from datamodules.download import Remote
from datamodules.errors import BadArchiveError, DataError, reading
from datamodules.files import Files
from datamodules.reader import Listing
from datamodules.readers.published import Published
from records.array_file import ArrayFile, RowReader

SITE = "https://zenodo.org/records/10519652/files/"
TABLE = Path(__file__).with_suffix(".csv")  # channels, checksums and labels, as published (3.0.2)
MOST_FILE = 2**34  # bytes; PathMNIST at 224 px has 12 billion
MOST_LABELS = 2**24  # bytes; 112,120 images with 14 labels take 1.6 million
MOST_IMAGE = 224 * 224 * 3


@dataclass(frozen=True)
class _Set:
    channels: int
    checksums: dict[int, str]  # by pixels per side
    labels: tuple[str, ...]


def _published(flag: str) -> _Set:
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = {row["flag"]: row for row in csv.DictReader(file)}
    if flag not in rows:
        raise DataError(f"data.reader.flag={flag}: there are {', '.join(rows)}.")
    row = rows[flag]
    checksums = {pixels: row[f"md5_{pixels}"] for pixels in (28, 64, 128, 224)}
    return _Set(int(row["channels"]), checksums, tuple(row["labels"].split("|")))


def _file_name(flag: str, pixels: int) -> str:
    """The published name of a set's file.

    >>> _file_name("pathmnist", 28), _file_name("pathmnist", 64)
    ('pathmnist.npz', 'pathmnist_64.npz')
    """
    return f"{flag}.npz" if pixels == 28 else f"{flag}_{pixels}.npz"


@dataclass
class MedMnist(Published):
    """One of the twelve sets; the publishers' validation images count as training images.

    ChestMNIST has 14 labels per image: its classes are `no finding` and `finding`, and each label
    is a finding. The root is the folder of `<flag>.npz`, or `<flag>_<pixels>.npz` for more than 28
    pixels.
    """

    NAME = "medmnist"
    part: Literal["train", "all"] = "all"
    flag: Literal[
        "pathmnist", "chestmnist", "dermamnist", "octmnist", "pneumoniamnist", "retinamnist",
        "breastmnist", "bloodmnist", "tissuemnist", "organamnist", "organcmnist", "organsmnist",
    ] = "pneumoniamnist"  # fmt: skip
    pixels: Literal[28, 64, 128, 224] = 28  # per side, of the published file

    def __post_init__(self) -> None:
        self.parts = ("train", "val", "test") if self.part == "all" else ("train", "val")
        self.set = _published(self.flag)

    def listing(self) -> Listing:
        """The labels; the images stay packed until one is read."""
        found = [self._labels(part) for part in self.parts]
        labels = np.concatenate(found)
        names = self.set.labels
        is_test = np.repeat([part == "test" for part in self.parts], [len(y) for y in found])
        marks = dict(zip(names, labels.T, strict=True)) if self._has_findings else {}
        return Listing(
            labels=np.any(labels, axis=1).astype(np.int64) if marks else labels[:, 0],
            classes=("no finding", "finding") if marks else names,
            official_test=is_test,
            findings=marks,
            files=Files.archives([self._path], [len(labels)]),
        )

    def read(self, i: int) -> np.ndarray:
        """Image `i`, (H, W) or (H, W, 3) uint8."""
        for rows in self._images:
            count = rows.header.shape[0]
            if i < count:
                with self._reading():
                    return rows[i]
            i -= count
        raise IndexError(i)

    @property
    def _has_findings(self) -> bool:
        return self.flag == "chestmnist"

    @cached_property
    def _images(self) -> list[RowReader]:
        with self._reading():
            file = ArrayFile(self._path)
            readers = [RowReader(file, f"{part}_images", MOST_IMAGE) for part in self.parts]
        colour = (3,) if self.set.channels == 3 else ()
        for reader, part in zip(readers, self.parts, strict=True):
            shape = (len(self._labels(part)), self.pixels, self.pixels, *colour)
            if reader.header.shape != shape or reader.header.dtype != np.uint8:
                found = f"{reader.header.dtype} {reader.header.shape}, not uint8 {shape}"
                reason = f"its {part}_images are {found}."
                raise BadArchiveError(self._path, reason, *self._other_size(reader.header.shape))
        return readers

    def _other_size(self, shape: tuple[int, ...]) -> tuple[str, ...]:
        """What to do with a file that has the images of another published size."""
        pixels = shape[1] if len(shape) > 1 else 0
        if pixels == self.pixels or pixels not in self.set.checksums:
            return ()
        name = _file_name(self.flag, pixels)
        return (f"Rename it to {name} and set data.reader.pixels={pixels}.",)

    def _labels(self, part: str) -> np.ndarray:
        with self._reading():
            labels = ArrayFile(self._path).read(f"{part}_labels", MOST_LABELS)
        columns = len(self.set.labels) if self._has_findings else 1
        most = 1 if self._has_findings else len(self.set.labels) - 1
        if labels.dtype.kind not in "iu" or labels.ndim != 2 or labels.shape[1] != columns:
            wanted = f"integers (N, {columns}) as {self.flag} has"
            found = f"{labels.dtype} {labels.shape}, not {wanted}"
            raise BadArchiveError(self._path, f"its {part}_labels are {found}.")
        if labels.size and not 0 <= labels.min() <= labels.max() <= most:
            found = f"{labels.min()} to {labels.max()}, beyond 0 to {most} of {self.flag}"
            raise BadArchiveError(self._path, f"has {part}_labels of {found}.")
        return labels.astype(np.int64)

    def _reading(self) -> AbstractContextManager[None]:
        return reading(self._path, "is not a MedMNIST file", kind=BadArchiveError)

    @cached_property
    def _path(self) -> Path:
        name = _file_name(self.flag, self.pixels)
        checksum = f"md5:{self.set.checksums[self.pixels]}"
        remote = Remote(name, checksum, (f"{SITE}{name}?download=1",), MOST_FILE)
        return self.obtain(remote, name)
