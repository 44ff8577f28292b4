"""RSNA intracranial haemorrhage (Kaggle 2019): head CT slices with five kinds of bleeding."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd

from datamodules.errors import BadFileError
from datamodules.files import Files
from datamodules.formats.dicom import decode
from datamodules.formats.dicom_headers import read_headers
from datamodules.formats.table_cache import cached_table
from datamodules.identity import stamp
from datamodules.reader import Listing
from datamodules.readers.origin import Origin
from datamodules.readers.rsna_labels import KINDS, read_labels

ORIGIN = Origin(
    "rsna_ih_ct",
    "https://www.kaggle.com/c/rsna-intracranial-hemorrhage-detection (an account; accept the "
    "rules; non-commercial; 430 GB).",
    "stage_2_train.csv\nstage_2_train/ID_000012eaf.dcm",
)
TRUNCATED = "ID_6431af929"  # truncated in the published data


@dataclass
class RSNAHaemorrhage:
    """Slices labelled `any`, with each kind as a finding; grouped by patient.

    Patients are named in DICOM headers only, and 752,803 headers take a quarter of an hour. So a
    fixed part of the set is listed: for each kind the first `candidates` slices with it and as many
    without, by image id (ids are random, so this is a random draw; other kinds are as frequent
    among the negatives as in the whole set). A slice drawn for one kind only is -1 for the others.
    """

    threadsafe = True  # for `read`

    root: Path  # folder with `stage_2_train.csv` and `stage_2_train/`, nested as Kaggle does or not
    # `window` (HU, centre and width below); `maximum`: stored value x 255 / maximum; `wrapped`: the
    # same with negative values wrapping around, as in the published code
    scaling: Literal["window", "maximum", "wrapped"] = "window"
    centre: float = 40.0  # of the window in HU; 40 is brain
    width: float = 80.0  # of the window in HU
    candidates: int | None = 3000  # slices per kind and label; None lists all
    index: str | None = None  # folder where the label table and headers are stored

    def listing(self) -> Listing:
        """The candidates; `any` is the label, the kinds are findings."""
        csv = ORIGIN.find(self.root, "stage_2_train.csv")
        folder = ORIGIN.find(self.root, "stage_2_train", "the folder `stage_2_train`")
        # a folder's time changes with its files; scanning 752,803 names takes seconds
        identity = [stamp(csv), str(folder), folder.stat().st_mtime_ns, self.candidates]
        table = cached_table(
            self.index, "rsna", identity, lambda: self._candidates(csv, folder)
        ).set_index("image")
        counts = table.pop("left_out").iloc[0].split()
        self.files = [folder / name for name in table.pop("file")]
        patients = table.pop("patient")
        alone = patients == ""  # no patient in the header: its own group
        findings = {kind: table[kind].to_numpy(np.int64) for kind in KINDS}
        return Listing(
            labels=findings["any"],
            classes=("no haemorrhage", "haemorrhage"),
            names=tuple(str(file) for file in self.files),
            groups=np.where(alone, table.index, patients).astype(str),
            findings=findings,
            files=Files.of(self.root, self.files),
            notes=(
                f"{counts[0]} repeated rows, {counts[1]} images with contradictory rows, "
                f"{counts[2]} images without a file and {counts[3]} known to be truncated left out",
                f"{len(table)} images listed (data.reader.candidates={self.candidates})",
                f"{int(alone.sum())} images without a patient in their header",
            ),
        )

    def read(self, i: int) -> np.ndarray:
        """Slice `i`, (512, 512) uint8."""
        image = decode(self.files[i])
        if self.scaling == "window":
            return image.window(self.centre, self.width)
        return image.by_maximum(wrap=self.scaling == "wrapped")

    def _candidates(self, csv: Path, folder: Path) -> pd.DataFrame:
        labels, repeated, contradictory = read_labels(csv)
        on_disk = {file.stem: file for file in folder.iterdir() if file.suffix.lower() == ".dcm"}
        has_file = labels.index.isin(on_disk)
        truncated = labels.index == TRUNCATED
        if not has_file.any():
            raise BadFileError(csv, f"none of its images is in {folder}.", "Unpack the images.")
        labels = labels[has_file & ~truncated].sort_index()
        if self.candidates is not None:
            labels = _draw(labels, self.candidates)
        table = labels.reset_index(names="image")
        files = [on_disk[image] for image in table["image"]]
        table["patient"] = read_headers(files, ["PatientID"])["PatientID"]
        table["file"] = [file.name for file in files]
        left_out = (repeated, contradictory, (~has_file).sum(), (has_file & truncated).sum())
        table["left_out"] = " ".join(str(count) for count in left_out)
        return table


def _draw(labels: pd.DataFrame, count: int) -> pd.DataFrame:
    """The first `count` images per kind and label; -1 where an image was not drawn for a kind."""
    drawn = pd.DataFrame(-1, labels.index, labels.columns)
    for kind in labels.columns:
        for value in (0, 1):
            chosen = labels.index[labels[kind] == value][:count]
            drawn.loc[chosen, kind] = value
    return drawn[(drawn >= 0).any(axis=1)]
