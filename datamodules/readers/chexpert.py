"""CheXpert: chest radiographs with fourteen findings, each certain, uncertain or not mentioned."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd

from datamodules.errors import BadFileError
from datamodules.files import Files
from datamodules.formats.locate import existing
from datamodules.formats.picture import read_picture
from datamodules.formats.tables import number, read_table
from datamodules.reader import Listing
from datamodules.readers.origin import Origin

ORIGIN = Origin(
    "chexpert",
    "https://stanfordmlgroup.github.io/competitions/chexpert (registration, research licence); the "
    "small set (11 GB) is enough for 224 pixels.",
    "CheXpert-v1.0-small/train.csv\n"
    "CheXpert-v1.0-small/train/patient00001/study1/view1_frontal.jpg",
)
FINDINGS = (
    "No Finding", "Enlarged Cardiomediastinum", "Cardiomegaly", "Lung Opacity", "Lung Lesion",
    "Edema", "Consolidation", "Pneumonia", "Atelectasis", "Pneumothorax", "Pleural Effusion",
    "Pleural Other", "Fracture", "Support Devices",
)  # fmt: skip

# csv value (1 present, 0 absent, -1 uncertain, blank) -> label; -1 leaves the image out
POLICIES = {
    "explicit_only": {"present": 1, "absent": 0, "uncertain": -1, "blank": -1},
    "u_ignore": {"present": 1, "absent": 0, "uncertain": -1, "blank": 0},
    "u_zeros": {"present": 1, "absent": 0, "uncertain": 0, "blank": 0},
    "u_ones": {"present": 1, "absent": 0, "uncertain": 1, "blank": 0},
    "unstated_negative": {"present": 1, "absent": -1, "uncertain": 0, "blank": 0},
}


@dataclass
class CheXpert:
    """Radiographs labelled by one finding; the other thirteen are findings of the listing."""

    threadsafe = True  # for `read`

    # folder with the csv and the `patient00001` folders: the small set, the large one, or the newer
    # delivery in batches
    root: Path
    finding: str = "Pleural Effusion"  # the csv column that is the label
    # what counts as positive and negative. `u_ignore`, `u_zeros` and `u_ones` are Irvin et al.'s
    # (blank is negative; uncertain is left out, negative or positive); `explicit_only` takes only
    # what the report states; `unstated_negative` is the published code's: uncertain and blank are
    # negative, stated negatives are left out
    labels: Literal["unstated_negative", "u_zeros", "u_ones", "u_ignore", "explicit_only"] = (
        "explicit_only"
    )
    frontal: bool = False  # leave lateral views out
    # the csv; `train_cheXbert.csv` of the newer delivery has better labels
    table: str = "train.csv"

    def listing(self) -> Listing:
        """Every row with a value for at least one finding, grouped by patient."""
        csv = ORIGIN.find(self.root, self.table)
        others = [finding for finding in FINDINGS if finding != self.finding]
        rows = read_table(csv, ["Path", self.finding], optional=["Frontal/Lateral", *others])
        repeated = rows["Path"].duplicated()
        rows = rows[~repeated]
        place = rows["Path"].str.replace("\\", "/").str.extract(r"(patient\d+)/(.+)$")
        folders = place[0].map(self._patients(csv.parent))
        lateral = rows["Frontal/Lateral"].str.lower().eq("lateral") & self.frontal
        findings = {name: self._policy(rows[name]) for name in (self.finding, *others)}
        mentioned = np.stack(list(findings.values())).max(axis=0) >= 0
        keep = (folders.notna() & ~lateral).to_numpy() & mentioned
        if not keep.any():
            raise BadFileError(
                csv,
                f"none of its images is in {csv.parent} or beside it.",
                "Unpack the images there.",
            )
        self.files = (folders[keep] + "/" + place.loc[keep, 1]).tolist()  # 223,000 Paths take 2 s
        label = findings[self.finding][keep]
        return Listing(
            labels=label,
            classes=(f"no {self.finding}", self.finding),
            names=tuple(self.files),
            groups=place.loc[keep, 0].to_numpy(str),
            findings={name: values[keep] for name, values in findings.items()},
            files=Files.of(self.root, self.files),
            notes=(
                f"{int(repeated.sum())} repeated rows left out",
                f"{int(folders.isna().sum())} rows whose patient is not on disk left out",
                f"{int(lateral.sum())} lateral views left out",
                f"{int((label < 0).sum())} images without a `{self.finding}` label under "
                f"`{self.labels}`",
            ),
        )

    def read(self, i: int) -> np.ndarray:
        """Radiograph `i`, (H, W) uint8."""
        return read_picture(existing(Path(self.files[i])))

    def _policy(self, column: pd.Series) -> np.ndarray:
        policy = POLICIES[self.labels]
        meaning = {1.0: policy["present"], 0.0: policy["absent"], -1.0: policy["uncertain"]}
        return number(column).map(meaning).fillna(policy["blank"]).to_numpy(np.int64)

    def _patients(self, base: Path) -> dict[str, str]:
        """Patient -> folder. `Path` begins with the archive's name, not with the folder on disk.

        The newer delivery has the csv in a folder of its own, beside `... batch 2 (train 1)`.
        """
        parents = {base, *base.iterdir(), *base.parent.glob("*(train*")}
        return {
            patient.name: str(patient)
            for parent in sorted(parents)
            if parent.is_dir() and parent.name != "valid"
            for patient in parent.iterdir()
            if patient.name.startswith("patient")
        }
