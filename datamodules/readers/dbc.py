"""Duke-Breast-Cancer-MRI: pre-contrast slices; does the tumour's box reach into the slice?"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd

from datamodules.errors import BadFileError
from datamodules.files import Files
from datamodules.formats.dicom import decode
from datamodules.formats.table_cache import cached_table
from datamodules.formats.tables import number, read_table
from datamodules.identity import stamp
from datamodules.reader import Listing
from datamodules.readers.origin import Origin
from datamodules.readers.tcia import collection, series, slice_headers

COLLECTION = "Duke-Breast-Cancer-MRI"
BOXES = "Annotation_Boxes"
MAPPING = "Breast-Cancer-MRI-filepath_filename-mapping"
ORIGIN = Origin(
    "dbc",
    f"https://www.cancerimagingarchive.net/collection/{COLLECTION.lower()} has the tables beside "
    "the images.",
    f"{BOXES}.xlsx\n{MAPPING}.xlsx\nmanifest-<n>/{COLLECTION}/Breast_MRI_001/...",
)


@dataclass
class DBC:
    """Slices of the series whose original path contains `/pre/` (fat-saturated, before contrast).

    Files are matched to the mapping table by SOPInstanceUID, read from their headers: paths in that
    table are zero-padded wrongly for part of the data and differ between retrievers.
    """

    threadsafe = True  # for `read`

    root: Path  # folder with the collection and the two tables (`.xlsx`, or `.csv` made from them)
    phase: str = "pre"  # of the dynamic series, as in the original path: `pre`, `post_1` ...
    # `symmetric`: positive from start to end slice, negative at least `gap` slices away;
    # `asymmetric`: the published code's, without the end slice and with one more slice between it
    # and the negatives above
    gap_rule: Literal["symmetric", "asymmetric"] = "symmetric"
    gap: int = 5  # smallest distance, in slices
    # added to the number in the original file name; the first slice number of the boxes is not
    # documented
    slice_offset: int = 0
    # folder where headers and the mapping (two minutes of Excel) are stored
    index: str | None = None

    def listing(self) -> Listing:
        """Slices that pass the gap rule, grouped by patient."""
        folder = collection(self.root, COLLECTION, "368 GB, CC BY-NC 4.0, no registration")
        boxes_file, mapping_file = self._table(BOXES), self._table(MAPPING)
        found = self._slices(folder, mapping_file)
        known = found.merge(self._boxes(boxes_file), on="patient")
        label = self._label(known["slice"], known["start"], known["end"])
        square = _square(known["PixelSpacing"])
        keep = (label >= 0) & square
        self.files = [Path(file) for file in known.loc[keep, "file"]]
        return Listing(
            labels=label[keep],
            classes=("no tumour", "tumour"),
            names=tuple(str(file) for file in self.files),
            groups=known.loc[keep, "patient"].to_numpy(int),
            files=Files.of(self.root, self.files),
            notes=(
                f"{len(found) - len(known)} slices of patients without a box left out",
                f"{int((label < 0).sum())} slices left out by the gap rule `{self.gap_rule}`",
                f"{int((~square).sum())} slices with oblong pixels left out",
            ),
        )

    def read(self, i: int) -> np.ndarray:
        """Slice `i`: pixel x 255 / maximum, MONOCHROME1 inverted."""
        return decode(self.files[i]).by_maximum()

    def _label(self, s: pd.Series, start: pd.Series, end: pd.Series) -> np.ndarray:
        """1, 0, or -1 for slices without tumour that are too near to it."""
        asymmetric = self.gap_rule == "asymmetric"
        positive = (s >= start) & ((s < end) if asymmetric else (s <= end))
        negative = (s <= start - self.gap) | (s >= end + self.gap + asymmetric)
        return np.where(positive, 1, np.where(negative, 0, -1)).astype(np.int64)

    def _slices(self, folder: Path, mapping_file: Path) -> pd.DataFrame:
        """File, patient, slice number and pixel spacing of the phase's slices."""
        mapping = cached_table(
            self.index, "dbc", [stamp(mapping_file), self.phase], lambda: self._phase(mapping_file)
        )
        all_series = series(folder, self.index)
        chosen = all_series[all_series["SOPInstanceUID"].isin(mapping["uid"])]
        if chosen.empty:
            raise BadFileError(
                mapping_file,
                f"none of the {len(all_series)} series in {folder} is a `/{self.phase}/` series "
                "of this table.",
                "Download the pre-contrast series, or set data.reader.phase to one you have.",
            )
        found = slice_headers(chosen, ["SOPInstanceUID", "PixelSpacing"], self.index)
        found = found.merge(mapping, left_on="SOPInstanceUID", right_on="uid")
        found["patient"] = found["patient"].astype(int)
        found["slice"] = found["slice"].astype(int) + self.slice_offset
        return found.sort_values(["patient", "slice"], ignore_index=True)

    def _phase(self, path: Path) -> pd.DataFrame:
        table = read_table(path, ["sop_instance_UID", "original_path_and_filename"])
        original = table["original_path_and_filename"].str.replace("\\", "/")
        parts = original.str.extract(rf"_(\d+)/{re.escape(self.phase)}/.*_(\d+)\.dcm$")
        parts.columns = ["patient", "slice"]
        parts["uid"] = table["sop_instance_UID"]
        return parts.dropna().drop_duplicates("uid")

    def _boxes(self, path: Path) -> pd.DataFrame:
        """Patient number (`Breast_MRI_001` and `BreastMRI001` are both 1), first and last slice."""
        table = read_table(path, ["Patient ID", "Start Slice", "End Slice"])
        boxes = pd.DataFrame(
            {
                "patient": number(table["Patient ID"].str.extract(r"(\d+)\s*$", expand=False)),
                "start": number(table["Start Slice"]),
                "end": number(table["End Slice"]),
            }
        ).dropna()
        boxes["patient"] = boxes["patient"].astype(int)
        return boxes.drop_duplicates("patient")

    def _table(self, stem: str) -> Path:
        names = [f"{stem}{suffix}".lower() for suffix in (".csv", ".xlsx")]
        return ORIGIN.find(self.root, names.__contains__, f"`{stem}.xlsx`")


def _square(spacing: pd.Series) -> np.ndarray:
    r"""True where `PixelSpacing` ("0.7\0.7") is missing or the same both ways."""
    sides = spacing.str.split("\\", regex=False, expand=True).reindex(columns=[0, 1])
    sides = sides.apply(pd.to_numeric, errors="coerce")
    return (sides[0].isna() | sides[1].isna() | np.isclose(sides[0], sides[1])).to_numpy(bool)
