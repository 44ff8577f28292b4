"""One image of a user's own folder, before it is read."""

import re
from dataclasses import dataclass
from pathlib import Path

from datamodules.errors import DataError

PICTURES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".webp")
DICOM = (".dcm", ".dicom", ".ima")
NIFTI = (".nii", ".nii.gz")
IMAGES = (*PICTURES, *DICOM, *NIFTI)


@dataclass(frozen=True)
class Item:
    """A file, or a slice of a volume, with its label."""

    path: Path
    label: str
    group: str | None
    where: str  # its name in messages: the file, or the row that names it
    slice: int | None = None  # of a NIfTI volume
    is_test: bool = False  # in a folder `test`

    @property
    def name(self) -> str:
        """The file and slice, also where `where` is a row of a table."""
        path = str(self.path)
        piece = "" if self.slice is None else f", slice {self.slice}"
        return self.where if path in self.where else path + piece

    def has_type(self, endings: tuple[str, ...]) -> bool:
        """Whether the file's name ends so, in upper or lower case."""
        return self.path.name.lower().endswith(endings)


def group_in_path(pattern: str | None, path: Path) -> str | None:
    r"""What the first parentheses of `data.reader.group_pattern` match in a path.

    >>> group_in_path(r"(p\d+)_", Path("cat/p12_left.png"))
    'p12'
    """
    if pattern is None:
        return None
    found = re.search(pattern, path.as_posix())
    if not found or not found.groups():
        raise DataError(
            f"data.reader.group_pattern={pattern}: its first parentheses match nothing in "
            f"`{path.as_posix()}`."
        )
    return found.group(1)
