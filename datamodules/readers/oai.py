"""OAI: knee radiographs; is there osteoarthritis (Kellgren-Lawrence grade 2 or more)?"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd

from datamodules.errors import BadFileError
from datamodules.files import Files
from datamodules.formats.dicom import decode
from datamodules.formats.dicom_headers import read_headers
from datamodules.formats.locate import find, folders
from datamodules.formats.picture import read_picture
from datamodules.formats.table_cache import cached_table
from datamodules.identity import stamp
from datamodules.reader import Listing
from datamodules.readers.knee_grades import read_grades
from datamodules.readers.origin import Origin

ORIGIN = Origin(
    "oai",
    "https://nda.nih.gov/oai (data-use certification): OAIBaselineImages, and the X-ray readings "
    "`kxr_sq_bu00.txt`.",
    "kxr_sq_bu00.txt\nresults/P001/0.C.2/<ID>/<yyyymmdd>/<barcode>/001\n"
    "or  {0,1}/<ID>_R.png    (pre-cropped knees)",
)
Tree = list[tuple[Path, list[str], list[str]]]  # what `folders` yields
CROPPED = re.compile(r"(\d{5,})_?([RL])\.(png|jpe?g)", re.IGNORECASE)


@dataclass
class OAI:
    """Single knees, from bilateral DICOM radiographs or from pre-cropped pictures.

    A bilateral radiograph is cut in the middle; the patient's right knee is on the left. From each
    half the central square is taken. Pre-cropped knees (`<ID>_R.png`, also `<ID>R.png`) take their
    grade from the readings file, or from their folder: 0-4 are grades; if only 0 and 1
    exist, they are the label itself.
    """

    threadsafe = True  # for `read`

    root: Path  # folder with the `0.C.2` and `0.E.1` trees and `kxr_sq_bu00.txt`, or with pictures
    # `dicom`, `cropped`, or `auto`: cropped if there are such pictures
    knees: Literal["auto", "dicom", "cropped"] = "auto"
    index: str | None = None  # folder where headers are stored

    def listing(self) -> Listing:
        """Graded knees; both of a patient are one group."""
        readings = find(self.root, lambda name: name.startswith("kxr_sq_bu"))
        tree = list(folders(self.root))
        table = _cropped(tree) if self.knees != "dicom" else pd.DataFrame()
        if table.empty and self.knees != "cropped":
            table = self._exams(tree)
        if table.empty or (readings is None and (table["folder"] == "").any()):
            looked_for = "knee radiographs" if table.empty else "`kxr_sq_bu00.txt`"
            raise ORIGIN.missing(self.root, looked_for)
        repeated = table.duplicated(["patient", "side"])
        table = table[~repeated]
        notes: tuple[str, ...] = (f"{int(repeated.sum())} additional images of a knee left out",)
        if readings is not None:
            grades, left_out = read_grades(readings)
            before = len(table)
            table = table.merge(grades, on=["patient", "side"])
            notes += (*left_out, f"{before - len(table)} knees without a reading left out")
            if table.empty:
                raise BadFileError(
                    readings,
                    "has no grade of any knee found.",
                    "Take the readings and the images of the same visit.",
                )
            label = table["grade"] >= 2
        else:
            folder = table["folder"].astype(int)
            label = folder >= (2 if folder.max() > 1 else 1)
        self.items = list(zip(table["file"], table["side"], strict=True))
        return Listing(
            labels=label.to_numpy(np.int64),
            classes=("grade 0-1", "grade 2-4"),
            names=tuple(f"{file}, side {side}" for file, side in self.items),
            groups=table["patient"].to_numpy(str),
            files=Files.of(self.root, table["file"], (table["side"] == "R").tolist()),
            notes=notes,
        )

    def read(self, i: int) -> np.ndarray:
        """Knee `i`, (H, W) uint8."""
        file, side = self.items[i]
        if CROPPED.fullmatch(file.name):
            return read_picture(file)
        return knee(decode(file).full_range(), side)

    def _exams(self, tree: Tree) -> pd.DataFrame:
        """Both sides of every knee radiograph; hands, hips and MR are in the same tree."""
        first = [
            (folder / files[0], folder.parent.parent.name)  # <ID>/<date>/<barcode>/001
            for folder, _, files in tree
            if files and re.fullmatch(r"\d{7}", folder.parent.parent.name)
        ]
        table = pd.DataFrame(first, columns=["file", "patient"])
        tags = ["BodyPartExamined", "SeriesDescription", "Modality"]
        files = table["file"].tolist()
        stamps = [stamp(file) for file in files]
        head = cached_table(self.index, "oai", stamps, lambda: read_headers(files, tags))
        about = head["BodyPartExamined"] + " " + head["SeriesDescription"]
        radiograph = ~head["Modality"].isin(["MR", "SR"])
        table = table[(about.str.contains("knee", case=False) & radiograph).to_numpy(bool)]
        sides = [table.assign(side=side, folder="") for side in "RL"]
        return pd.concat(sides).sort_values(["patient", "side"], kind="stable", ignore_index=True)


def _cropped(tree: Tree) -> pd.DataFrame:
    rows = []
    for folder, _, files in tree:
        grade = folder.name if re.fullmatch("[0-4]", folder.name) else ""
        for name in files:
            if match := CROPPED.fullmatch(name):
                rows.append((folder / name, match[1], match[2].upper(), grade))
    return pd.DataFrame(rows, columns=["file", "patient", "side", "folder"])


def knee(image: np.ndarray, side: str) -> np.ndarray:
    """The central square of one half of a bilateral radiograph.

    >>> both = np.array([[1, 1, 2, 2], [3, 3, 4, 4], [5, 5, 6, 6], [7, 7, 8, 8]])
    >>> knee(both, "R").tolist()  # the patient's right is on the left
    [[3, 3], [5, 5]]
    """
    middle = image.shape[1] // 2
    half = image[:, :middle] if side == "R" else image[:, middle:]
    height, width = half.shape
    edge = min(height, width)
    top, left = (height - edge) // 2, (width - edge) // 2
    return half[top : top + edge, left : left + edge]
