"""ImageNet (ILSVRC 2012): one folder of photographs per class."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import pandas as pd

from datamodules.errors import BadFileError, DataError
from datamodules.files import Files
from datamodules.formats.picture import read_picture
from datamodules.formats.table_cache import cached_table
from datamodules.progress import progress
from datamodules.reader import Listing
from datamodules.readers.origin import Origin

PLACES = ("ILSVRC/Data/CLS-LOC/train", "Data/CLS-LOC/train", "train", ".")
# one `.JPEG` of the original is a PNG inside; Pillow detects it
SUFFIXES = (".jpeg", ".jpg", ".png")
ORIGIN = Origin(
    "imagenet",
    "register at https://www.image-net.org (research only), or accept the rules of "
    "https://www.kaggle.com/c/imagenet-object-localization-challenge",
    """
ILSVRC/Data/CLS-LOC/train/n01440764/n01440764_10026.JPEG   (Kaggle)
or train/n01440764/n01440764_10026.JPEG
or n01440764/n01440764_10026.JPEG
""",
)


@dataclass
class ImageNet:
    """1,281,167 training photographs of 1,000 classes, 732 to 1,300 each.

    At first images are only counted per class, and the counts are cached; file names are listed for
    those classes only that are read. A count is valid until its folder's time changes.
    """

    threadsafe = True

    root: Path  # the Kaggle tree, a plain `train` folder, or its parent
    # classes with fewer images are left out, so that none is drawn that cannot fill n=1750 and 750
    # for the test (1,250 each)
    minimum: int = 1250
    index: str | None = None  # folder for the counts; None counts at every start
    # use only this many of those classes, in the order of their names; the published code of Konz &
    # Mazurowski takes the images of every pair from the first two
    first: int | None = None

    def __post_init__(self) -> None:
        self.names = lru_cache(maxsize=None)(_names)

    def listing(self) -> Listing:
        """The classes that are large enough."""
        train = self._train()
        stamps = sorted([entry.name, entry.stat().st_mtime_ns] for entry in _classes(train))
        table = cached_table(
            self.index, "imagenet", [str(train), stamps], lambda: _counts(train, stamps)
        )
        counts = table["count"].astype(int).to_numpy()
        enough = counts >= self.minimum
        if enough.sum() < 2:
            raise DataError(
                f"{train}: {enough.sum()} of {len(table)} classes have {self.minimum} images or "
                f"more (the largest has {counts.max()}); set data.reader.minimum lower."
            )
        taken = counts[enough][: self.first]
        self.folders = [train / name for name in table["name"][enough]][: self.first]
        self.start = np.concatenate([[0], np.cumsum(taken)])
        few = f"{(~enough).sum()} of {len(table)} classes have fewer than {self.minimum} images"
        return Listing(
            labels=np.repeat(np.arange(len(self.folders)), taken),
            classes=tuple(folder.name for folder in self.folders),
            files=Files(train, _Names(self)),
            notes=() if enough.all() else (few,),
        )

    def read(self, i: int) -> np.ndarray:
        """Image `i`, (H, W, 3) uint8."""
        return read_picture(self.path(i), colour=True)

    def path(self, i: int) -> Path:
        """The file of image `i`."""
        k = int(np.searchsorted(self.start, i, side="right")) - 1
        names = self.names(self.folders[k])
        place = i - int(self.start[k])
        if place >= len(names):
            raise BadFileError(self.folders[k], "has fewer files than when they were counted.")
        return self.folders[k] / names[place]

    def _train(self) -> Path:
        for place in PLACES:
            folder = self.root / place
            if folder.is_dir() and next(_classes(folder), None):
                return folder
        raise ORIGIN.missing(self.root, "class folders such as n01440764")


@dataclass
class _Names:
    """The names of all images below the root; a class is listed when one of its images is used."""

    reader: ImageNet

    def __len__(self) -> int:
        return int(self.reader.start[-1])

    def __getitem__(self, i: int) -> str:
        path = self.reader.path(i)
        return f"{path.parent.name}/{path.name}"

    def __iter__(self) -> Iterator[str]:
        return (self[i] for i in range(len(self)))


def _classes(folder: Path) -> Iterator[os.DirEntry[str]]:
    return (e for e in os.scandir(folder) if re.fullmatch(r"n\d{8}", e.name) and e.is_dir())


def _names(folder: Path) -> list[str]:
    return sorted(e.name for e in os.scandir(folder) if e.name.lower().endswith(SUFFIXES))


def _counts(train: Path, stamps: list[list[object]]) -> pd.DataFrame:
    rows = []
    with progress("counting ImageNet's images by class", len(stamps)) as advance:
        for name, _ in stamps:
            rows.append({"name": name, "count": len(_names(train / str(name)))})
            advance(1)
    return pd.DataFrame(rows)
