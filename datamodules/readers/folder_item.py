"""One image of a user's own folder, before it is read."""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from datamodules.formats.dicom_file import has_dicom_mark

PICTURES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".webp", ".gif")
DICOM = (".dcm", ".dicom", ".ima")
DOUBLE = ".nii.gz"
NIFTI = (".nii", DOUBLE)
IMAGES = (*PICTURES, *DICOM, *NIFTI)
DICOM_INDEX = "dicomdir"  # of a PACS export: lists its files, has no pixels


@dataclass(frozen=True)
class Item:
    """A file, or a slice of a volume, with its label."""

    path: Path
    label: str
    group: str | None
    where: str  # its name in messages: the file, or the row that names it
    slice: int | None = None  # of a NIfTI volume
    is_test: bool = False  # in a folder `test`, or a row of that part

    @property
    def name(self) -> str:
        """The file and slice, also where `where` is a row of a table."""
        path = str(self.path)
        piece = "" if self.slice is None else f", slice {self.slice}"
        return self.where if path in self.where else path + piece

    def has_type(self, endings: tuple[str, ...]) -> bool:
        """Whether the file's name ends so, in upper or lower case."""
        return self.path.name.lower().endswith(endings)

    @property
    def is_dicom(self) -> bool:
        """Whether the file is DICOM, by its ending or, where that is unknown, by its content."""
        return self.has_type(DICOM) or (not self.has_type(IMAGES) and is_unnamed_dicom(self.path))


class Labelled(NamedTuple):
    """The images that have labels, and what was found on the way."""

    items: list[Item]
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()  # images that may be missing by mistake


def is_unnamed_dicom(path: Path) -> bool:
    """Whether a file without a known ending is DICOM, as exports of a PACS write them: `IM0001`."""
    return path.name.lower() != DICOM_INDEX and has_dicom_mark(path)


def stem(path: str) -> str:
    """A path without the ending of an image.

    >>> stem("a.b/1.nii.gz"), stem("1.2.3.dcm")
    ('a.b/1', '1.2.3')
    """
    begin, _, ending = path.rpartition(".")
    if path.lower().endswith(DOUBLE):
        return path[: -len(DOUBLE)]
    return begin if f".{ending.lower()}" in IMAGES else path
