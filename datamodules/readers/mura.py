"""MURA v1.1: radiographs of the upper limb, seven regions; is the study abnormal?"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd

from datamodules.errors import BadFileError
from datamodules.files import Files
from datamodules.formats.locate import existing, find, folders
from datamodules.formats.picture import read_picture
from datamodules.reader import Listing
from datamodules.readers.origin import Origin

ORIGIN = Origin(
    "mura",
    "https://stanfordmlgroup.github.io/competitions/mura (registration, research licence).",
    "MURA-v1.1/train_image_paths.csv\n"
    "MURA-v1.1/train/XR_SHOULDER/patient00001/study1_positive/image1.png",
)


@dataclass
class MURA:
    """Images of the training part, labelled by their study's folder name.

    Patients appear under several regions (`XR_WRIST/patient00011`, `XR_HAND/patient00011`), so
    they are the groups, not (region, patient).
    """

    threadsafe = True  # for `read`

    root: Path  # folder with `MURA-v1.1`, or that folder
    # one of seven, or `all`. The published code's first n images are all of `shoulder`
    region: Literal["all", "elbow", "finger", "forearm", "hand", "humerus", "shoulder", "wrist"] = (
        "all"
    )

    def listing(self) -> Listing:
        """Images in the order of `train_image_paths.csv`, or of the tree where there is none."""
        train = self._find()
        csv = train.parent / "train_image_paths.csv"
        lines = pd.Series(csv.read_text().splitlines() if csv.exists() else _walk(train))
        lines = lines.str.strip().str.replace("\\", "/")
        lines = lines[lines != ""]
        parts = lines.str.extract(
            r"(?i)train/(?P<file>XR_(?P<region>\w+)/(?P<patient>patient\d+)"
            r"/[^/]*_(?P<label>positive|negative)/[^/]+)$"
        )
        malformed = parts["file"].isna()
        if len(lines) == 0 or malformed.all():
            raise BadFileError(
                csv if csv.exists() else train,
                "lists no image like train/XR_HAND/patient00001/study1_positive/image1.png.",
                "Download it again.",
            )
        parts = parts[~malformed]
        repeated = parts["file"].duplicated()
        elsewhere = (parts["region"].str.lower() != self.region) & (self.region != "all")
        kept = parts[~repeated & ~elsewhere]
        if kept.empty:
            raise ORIGIN.missing(train, f"images of the region `{self.region}`")
        self.files = [train / file for file in kept["file"]]
        return Listing(
            labels=kept["label"].str.lower().eq("positive").to_numpy(np.int64),
            classes=("normal", "abnormal"),
            names=tuple(str(file) for file in self.files),
            groups=kept["patient"].to_numpy(str),
            files=Files(train, kept["file"].tolist()),
            notes=(
                f"{int(repeated.sum())} repeated rows and {int(malformed.sum())} rows without an "
                "image name left out",
            ),
        )

    def read(self, i: int) -> np.ndarray:
        """Image `i` in grey, (H, W) uint8; the files are grey and RGB mixed."""
        return read_picture(existing(self.files[i]))

    def _find(self) -> Path:
        base = self.root if (self.root / "train").is_dir() else find(self.root, "MURA-v1.1")
        while base and not (base / "train").is_dir():  # unpacked into a folder of its own name
            base = base / base.name if (base / base.name).is_dir() else None
        if base is None:
            raise ORIGIN.missing(self.root, "`MURA-v1.1/train`")
        return base / "train"


def _walk(train: Path) -> list[str]:
    return [
        f"train/{(folder / name).relative_to(train).as_posix()}"
        for folder, _, files in folders(train)
        for name in files
        if name.lower().endswith((".png", ".jpg", ".jpeg"))
    ]
