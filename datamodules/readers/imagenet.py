"""ImageNet (ILSVRC 2012): one folder of photographs per class."""

import os
from functools import lru_cache
from pathlib import Path

import numpy as np
import pandas as pd

from datamodules.errors import BadFileError, DataError, DataNotFoundError
from datamodules.progress import progress
from datamodules.reader import Listing
from datamodules.readers.picture import read_picture
from datamodules.readers.table_cache import cached_table, fingerprint

PLACES = ("ILSVRC/Data/CLS-LOC/train", "Data/CLS-LOC/train", "train", ".")
SUFFIXES = (".jpeg", ".jpg", ".png")  # one `.JPEG` of the original is a PNG inside; Pillow looks
HOW = (
    "register at https://www.image-net.org (research only), or accept the rules of "
    "https://www.kaggle.com/c/imagenet-object-localization-challenge"
)
TREE = """
ILSVRC/Data/CLS-LOC/train/n01440764/n01440764_10026.JPEG   (Kaggle)
or train/n01440764/n01440764_10026.JPEG
or n01440764/n01440764_10026.JPEG
"""


class ImageNet:
    """1,281,167 training photographs of 1,000 classes, 732 to 1,300 each.

    At first images are only counted, class by class, and the counts kept; file names are listed for
    those classes alone that are read. A folder's time tells whether its count still holds.

    Args:
        root: the Kaggle tree, a plain `train` folder, or its parent.
        minimum: classes with fewer images are left out, so that none is drawn that cannot fill
            n=1750 and 750 for the test (1,250 each).
        index: folder for the counts; None counts at every start.
    """

    threadsafe = True

    def __init__(self, root: Path, minimum: int = 1250, index: str | None = None) -> None:
        self.root, self.minimum, self.index = Path(root), minimum, index
        self.files = lru_cache(maxsize=None)(self._files)

    def listing(self) -> Listing:
        """The classes that are large enough."""
        train = self._train()
        folders = sorted(entry for entry in os.scandir(train) if entry.is_dir())
        stamps = [[entry.name, entry.stat().st_mtime_ns] for entry in folders]
        table = cached_table(
            self.index, "imagenet", [str(train), stamps], lambda: self._count(train, folders)
        )
        counts = table["count"].astype(int)
        enough = table[counts >= self.minimum]
        if len(enough) < 2:
            raise DataError(
                f"{train}: {len(enough)} of {len(table)} classes have {self.minimum} images or more "
                f"(the largest has {counts.max()}); set data.reader.minimum lower."
            )
        self.train = train
        self.classes = tuple(enough["name"])
        sizes = enough["count"].astype(int).to_numpy()
        self.start = np.concatenate([[0], np.cumsum(sizes)])
        left_out = len(table) - len(enough)
        note = f"{left_out} of {len(table)} classes have fewer than {self.minimum} images"
        return Listing(
            labels=np.repeat(np.arange(len(sizes)), sizes),
            classes=self.classes,
            fingerprint=fingerprint(stamps, self.minimum),
            notes=(note,) if left_out else (),
        )

    def read(self, i: int) -> np.ndarray:
        """Image `i`, (H, W, 3) uint8."""
        k = int(np.searchsorted(self.start, i, side="right")) - 1
        names = self.files(self.classes[k])
        place = i - int(self.start[k])
        if place >= len(names):
            raise BadFileError(self.train / self.classes[k], "lost files since it was listed.")
        return read_picture(self.train / self.classes[k] / names[place], colour=True)

    def _train(self) -> Path:
        for place in PLACES:
            folder = self.root / place
            if folder.is_dir() and any(_is_class(entry) for entry in os.scandir(folder)):
                return folder
        raise DataNotFoundError("imagenet", self.root, "class folders such as n01440764", HOW, TREE)
