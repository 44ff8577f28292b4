"""ISIC 2019: dermoscopic images of nine diagnoses; a naevus or something else?"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd

from datamodules.errors import BadFileError
from datamodules.files import Files
from datamodules.formats.locate import find, folders
from datamodules.formats.picture import read_picture
from datamodules.formats.tables import number, read_table
from datamodules.reader import Listing
from datamodules.readers.origin import Origin

ORIGIN = Origin(
    "isic",
    "https://challenge.isic-archive.com/data/#2019 (9 GB, CC BY-NC 4.0, no registration).",
    "ISIC_2019_Training_GroundTruth.csv\nISIC_2019_Training_Metadata.csv\n"
    "ISIC_2019_Training_Input/ISIC_0000000.jpg",
)
DIAGNOSES = ("MEL", "NV", "BCC", "AK", "BKL", "DF", "VASC", "SCC", "UNK")


@dataclass
class ISIC:
    """Colour images, one diagnosis against the rest; each diagnosis is a finding as well."""

    threadsafe = True  # for `read`

    root: Path  # folder with the ground truth csv and the images, nested as Kaggle does or not
    # the positive class
    diagnosis: Literal["MEL", "NV", "BCC", "AK", "BKL", "DF", "VASC", "SCC", "UNK"] = "NV"

    def listing(self) -> Listing:
        """Images grouped by lesion; an image without a lesion id is its own group."""
        csv = ORIGIN.find(self.root, "ISIC_2019_Training_GroundTruth.csv")
        files = _pictures(self.root)
        if not files:
            raise ORIGIN.missing(self.root, "ISIC_*.jpg")
        truth = read_table(csv, ["image", self.diagnosis], optional=DIAGNOSES)
        truth["id"] = truth["image"].map(_plain)
        hot = np.stack([number(truth[name]).fillna(0) > 0.5 for name in DIAGNOSES])
        repeated, unclear = truth["id"].duplicated(), hot.sum(axis=0) != 1
        missing = ~truth["id"].isin(files)
        keep = (~repeated & ~missing).to_numpy() & ~unclear
        if not keep.any():
            raise BadFileError(
                csv,
                f"names none of the {len(files)} images found.",
                "Take the label file and the images of the same release, ISIC 2019.",
            )
        ids, hot = truth.loc[keep, "id"], hot[:, keep].astype(np.int64)
        self.files = [files[name] for name in ids]
        lesion, alone = self._lesions(ids)
        return Listing(
            labels=hot[DIAGNOSES.index(self.diagnosis)],
            classes=(f"not {self.diagnosis}", self.diagnosis),
            names=tuple(str(file) for file in self.files),
            groups=lesion.to_numpy(str),
            findings=dict(zip(DIAGNOSES, hot, strict=True)),
            files=Files.of(self.root, self.files),
            notes=(
                f"{int(repeated.sum())} repeated rows, {int(missing.sum())} without a file and "
                f"{int(unclear.sum())} without exactly one diagnosis left out",
                f"{alone} images without a lesion id are their own groups",
            ),
        )

    def read(self, i: int) -> np.ndarray:
        """Image `i`, (H, W, 3) uint8."""
        return read_picture(self.files[i], colour=True)

    def _lesions(self, ids: pd.Series) -> tuple[pd.Series, int]:
        csv = find(self.root, "ISIC_2019_Training_Metadata.csv")
        if csv is None:
            return ids, len(ids)
        table = read_table(csv, ["image", "lesion_id"])
        table["id"] = table["image"].map(_plain)
        known = table[table["lesion_id"] != ""].drop_duplicates("id").set_index("id")["lesion_id"]
        lesion = ids.map(known)
        return lesion.fillna(ids), int(lesion.isna().sum())


def _plain(name: str) -> str:
    """`ISIC_0000030_downsampled.JPG` -> `ISIC_0000030`: csv and files do not always agree.

    >>> _plain("ISIC_0000030_downsampled.JPG")
    'ISIC_0000030'
    """
    stem = name.strip().rsplit(".", 1)[0] if name.lower().endswith((".jpg", ".jpeg")) else name
    return stem.strip().removesuffix("_downsampled")


def _pictures(root: Path) -> dict[str, Path]:
    """Image id -> file; of two files with one id the one that is not downsampled."""
    found = [
        folder / name
        for folder, _, files in folders(root, depth=4)
        if "test" not in folder.name.lower()
        for name in files
        if name.lower().endswith((".jpg", ".jpeg"))
    ]
    found.sort(key=lambda path: len(path.stem), reverse=True)
    return {_plain(path.name): path for path in found}
