"""One's own images: a folder per class, or a folder and a csv of path, label and group."""

import math
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import nibabel
import numpy as np

from datamodules.errors import BadFileError, DataError, DataNotFoundError, reading
from datamodules.formats.dicom import decode
from datamodules.formats.locate import folders
from datamodules.formats.nifti import LARGEST, VolumeMemory
from datamodules.formats.picture import read_picture
from datamodules.formats.tables import read_table
from datamodules.identity import digest, stamp
from datamodules.reader import Listing
from records.counted import counted

PICTURES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".webp")
DICOM = (".dcm", ".dicom", ".ima")
NIFTI = (".nii", ".nii.gz")
TREE = """
<root>/cat/1.png, <root>/cat/2.JPG, <root>/dog/1.png ...
or <root>/labels.csv with the columns path,label[,group]; then data.reader.labels=labels.csv
"""


@dataclass(frozen=True)
class _Item:
    path: Path
    label: str
    group: str | None
    where: str  # what to call it: the file, or the row that names it
    slice: int | None = None  # of a NIfTI volume


class ImageFolder:
    r"""PNG, JPEG, TIFF, BMP, WebP, DICOM (first frame) and NIfTI (every axial slice).

    DICOM images are scaled from their lowest to their highest value, NIfTI volumes between their
    0.1 and 99.9 percentiles; `data.per_image_max` is another matter, done after this.

    Args:
        root: holds one folder per class (images may lie deeper), or the files that `labels` names.
        labels: a csv (or xlsx) in `root`, or elsewhere; None takes the folder names as labels.
        path_column: names each file, relative to `root` or absolute.
        label_column: its class; rows where it is blank are left out and counted.
        group_column: patient, lesion ... kept apart in splits; used if the file has it.
        group_pattern: regular expression whose first bracket, found in a file's path below `root`,
            is its group: `(patient\d+)`.
        scale: how 16-bit and float pictures become 0..255: `type`, `max` or `minmax`.
    """

    def __init__(
        self,
        root: Path,
        labels: str | None = None,
        path_column: str = "path",
        label_column: str = "label",
        group_column: str = "group",
        group_pattern: str | None = None,
        scale: Literal["ask", "type", "max", "minmax"] = "ask",
    ) -> None:
        self.root, self.labels, self.scale = Path(root).expanduser(), labels, scale
        self.columns = (path_column, label_column, group_column)
        self.group_pattern = group_pattern
        self.volumes = VolumeMemory()
        self.items: list[_Item] = []

    @property
    def threadsafe(self) -> bool:
        """Pictures and DICOM files are decoded in parallel; volumes share a memory."""
        return all(item.slice is None for item in self.items)

    def listing(self) -> Listing:
        """Every image with a label, in the order of their paths (or rows)."""
        if not self.root.is_dir():
            how = "put your images there, or set data.root to their folder"
            raise DataNotFoundError(
                "image_folder", self.root, "a folder of images", how, TREE, standin=False
            )
        items, notes = self._from_table() if self.labels else self._from_folders()
        self.items = [part for item in items for part in _slices(item)]
        classes = sorted({item.label for item in self.items}, key=_numeric)
        if len(classes) < 2:
            images = counted(len(self.items), "image")
            raise DataError(
                f"{self.root}: {images} of {counted(len(classes), 'class', 'classes')} "
                f"({', '.join(classes) or 'none'}); two or more are needed:\n{TREE.strip()}"
            )
        number = {label: k for k, label in enumerate(classes)}
        grouped = any(item.group for item in self.items)
        return Listing(
            labels=np.array([number[item.label] for item in self.items]),
            classes=tuple(classes),
            names=tuple(item.where for item in self.items),
            # where some have no group, each of those stands alone
            groups=np.array([i.group or str(i.path) for i in self.items]) if grouped else None,
            fingerprint=digest([_stamp(item) for item in self.items]),
            notes=notes,
        )

    def read(self, i: int) -> np.ndarray:
        """Image `i` as it is, gray or colour."""
        item = self.items[i]
        name = item.path.name.lower()
        if not item.path.is_file():
            raise BadFileError(item.where, f"{item.path} is not there.")
        if item.slice is not None:
            return self.volumes.gray_slice(item.path, item.slice)
        if name.endswith(DICOM):
            return decode(item.path).full_range()
        return read_picture(item.path, colour=None, scale=self.scale)

    def _from_folders(self) -> tuple[list[_Item], tuple[str, ...]]:
        items, left_out = [], Counter[str]()
        for folder, _, names in folders(self.root):
            below = folder.relative_to(self.root)
            for name in names:
                if not below.parts or not name.lower().endswith((*PICTURES, *DICOM, *NIFTI)):
                    left_out["outside class folders" if not below.parts else "of other types"] += 1
                    continue
                path = folder / name
                items.append(_Item(path, below.parts[0], self._group(below / name), str(path)))
        counts = [f"{counted(count, 'file')} {what} left out" for what, count in left_out.items()]
        return items, tuple(counts)

    def _from_table(self) -> tuple[list[_Item], tuple[str, ...]]:
        file = self.root / Path(str(self.labels)).expanduser()
        path_column, label_column, group_column = self.columns
        table = read_table(
            file,
            (path_column, label_column),
            optional=(group_column,),
            way_out="Name them: data.reader.path_column=... data.reader.label_column=...",
        )
        items: dict[str, _Item] = {}
        blank = repeated = 0
        rows = zip(table[path_column], table[label_column], table[group_column], strict=True)
        for row, (name, label, group) in enumerate(rows, start=2):  # row 1 has the column names
            where = f"{file}, row {row}"
            if not name or not label:
                blank += 1
            elif name not in items:
                group = group or self._group(Path(name))
                items[name] = _Item(self.root / name, label, group or None, where)
            elif items[name].label == label:
                repeated += 1
            else:
                first = items[name]
                raise DataError(
                    f"{where}: {name} is labelled `{label}`, but `{first.label}` in {first.where}; "
                    "remove one of the two rows."
                )
        odd = {"blank": blank, "repeated": repeated}
        notes = [counted(number, f"{kind} row") for kind, number in odd.items() if number]
        return list(items.values()), tuple(notes)

    def _group(self, path: Path) -> str | None:
        if self.group_pattern is None:
            return None
        found = re.search(self.group_pattern, path.as_posix())
        if not found or not found.groups():
            raise DataError(
                f"data.reader.group_pattern={self.group_pattern}: no bracket of it is found in "
                f"`{path.as_posix()}`."
            )
        return found.group(1)


def _slices(item: _Item) -> list[_Item]:
    """A volume becomes its slices, which form a group; anything else stays one image."""
    if not item.path.name.lower().endswith(NIFTI) or not item.path.is_file():
        return [item]
    with reading(item.where, "is no NIfTI volume", "Remove it."):
        shape = nibabel.load(item.path).shape
    depth = shape[2] if len(shape) > 2 else 1
    if math.prod(shape[:3]) > LARGEST:
        raise BadFileError(item.where, f"claims {depth:,} slices of it.", "Remove it.")
    group = item.group or str(item.path)
    where = [f"{item.where}, slice {k}" for k in range(depth)]
    return [_Item(item.path, item.label, group, where[k], k) for k in range(depth)]


def _stamp(item: _Item) -> list[object]:
    return [*(stamp(item.path) if item.path.is_file() else ()), item.slice, item.label]


def _numeric(label: str) -> tuple[int, str]:
    return (int(label), label) if label.isdigit() else (0, label)
