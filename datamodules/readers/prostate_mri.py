"""Prostate-MRI-US-Biopsy: slices of a prostate; is any target of its volume suspicious?"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd

from datamodules.errors import BadFileError
from datamodules.files import Files
from datamodules.formats.dicom import decode
from datamodules.formats.tables import number, read_table
from datamodules.reader import Listing
from datamodules.readers.origin import Origin
from datamodules.readers.tcia import collection, series, slice_headers

COLLECTION = "Prostate-MRI-US-Biopsy"
SCORE = "UCLA Score (Similar to PIRADS v2)"
ORIGIN = Origin(
    "prostate_mri",
    f"https://www.cancerimagingarchive.net/collection/{COLLECTION.lower()}",
    f"Target Data_2019-12-05.xlsx\nmanifest-<n>/{COLLECTION}/<patient>/<study>/<series>/1-01.dcm",
)


@dataclass
class ProstateMRI:
    """The middle half of each volume; score 0-1 is negative, 2 and more positive.

    The table has a row per target, so one volume has several scores. Their maximum is the volume's
    label; with a label per target identical images would carry opposite labels (K_F infinite).
    """

    threadsafe = True  # for `read`

    root: Path  # folder with the collection and `Target Data_2019-12-05.xlsx`
    # `mr` (as the paper says) or `us` (the ultrasound that the published code took)
    modality: Literal["mr", "us"] = "mr"
    # maximum per `volume` or per `patient`, or `target`: every row on its own, as in the published
    # code
    score: Literal["volume", "patient", "target"] = "volume"
    index: str | None = None  # folder where headers are stored

    def listing(self) -> Listing:
        """Slices grouped by patient."""
        folder = collection(self.root, COLLECTION, "78 GB, CC BY 4.0, no registration")
        table_file = ORIGIN.find(
            self.root,
            lambda name: name.startswith(("target data", "target-data")),
            "`Target Data_2019-12-05.xlsx`",
        )
        targets, notes = self._targets(table_file)
        all_series = series(folder, self.index)
        on_disk = targets["uid"].isin(all_series["SeriesInstanceUID"])
        targets = targets[on_disk]
        if targets.empty:
            raise BadFileError(
                table_file,
                f"none of its {self.modality.upper()} series is in {folder}.",
                "Download them, or set data.reader.modality to what you have.",
            )
        volumes = self._volumes(all_series[all_series["SeriesInstanceUID"].isin(targets["uid"])])
        table = targets.merge(volumes, on="uid").sort_values(
            ["patient", "uid", "place"], kind="stable"
        )
        self.frames = [(Path(f), k) for f, k in zip(table["file"], table["frame"], strict=True)]
        negative = targets.loc[targets["label"] == 0, "patient"].nunique()
        return Listing(
            labels=table["label"].to_numpy(np.int64),
            classes=("score 0-1", "score 2+"),
            names=tuple(f"{file}, frame {frame}" for file, frame in self.frames),
            groups=table["patient"].to_numpy(str),
            files=Files.of(self.root, table["file"], table["frame"].tolist()),
            notes=(
                *notes,
                f"{int((~on_disk).sum())} volumes of the table are not on disk",
                f"the negative class comes from {negative} patients",
            ),
        )

    def read(self, i: int) -> np.ndarray:
        """Slice `i`: pixel x 255 / maximum."""
        return decode(*self.frames[i]).by_maximum()

    def _targets(self, path: Path) -> tuple[pd.DataFrame, list[str]]:
        """Patient, series and label of each volume (or target), and what was left out."""
        column = f"seriesInstanceUID_{self.modality.upper()}"
        table = read_table(path, ["Patient ID", SCORE, column])
        table.columns = ["patient", "score", "uid"]
        table["score"] = number(table["score"])
        blank, unnamed = table["score"].isna(), table["uid"] == ""
        table = table[~blank & ~unnamed]
        if self.score != "target":
            by = "uid" if self.score == "volume" else "patient"
            table["score"] = table.groupby(by)["score"].transform("max")
            table = table.drop_duplicates("uid")
        table["label"] = (table["score"] >= 2).astype(int)
        notes = [
            f"{int(blank.sum())} targets without a score left out",
            f"{int((unnamed & ~blank).sum())} targets without a {self.modality.upper()} series",
        ]
        return table, notes

    def _volumes(self, chosen: pd.DataFrame) -> pd.DataFrame:
        """The middle half of every series: uid, file, frame, place in the volume."""
        tags = ["InstanceNumber", "NumberOfFrames"]
        table = slice_headers(chosen.drop_duplicates("SeriesInstanceUID"), tags, self.index)
        table["uid"] = table["folder"].map(chosen.set_index("folder")["SeriesInstanceUID"])
        table["number"] = number(table["InstanceNumber"]).fillna(0)
        frames = number(table["NumberOfFrames"]).fillna(1).astype(int)
        table = table.loc[table.index.repeat(frames), ["uid", "file", "number"]]
        table["frame"] = table.groupby("file").cumcount()
        table = table.sort_values(["uid", "number", "frame"], kind="stable", ignore_index=True)
        table["place"] = table.groupby("uid").cumcount()
        count = table.groupby("uid")["place"].transform("size")
        return table[(table["place"] >= count // 4) & (table["place"] < 3 * count // 4)]
