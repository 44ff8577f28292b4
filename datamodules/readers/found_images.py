"""The files below the root of a user's own images, by what they are."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from datamodules.formats.locate import folders
from datamodules.readers.folder_item import IMAGES, is_unnamed_dicom
from datamodules.readers.left_out import ending
from datamodules.readers.path_patterns import is_left_out, note_on_left_out


@dataclass
class Found:
    """Paths below the root, in the order of folders and names."""

    images: list[Path] = field(default_factory=list)  # in folders
    at_top: list[Path] = field(default_factory=list)  # files in the root itself, of any type
    others: Counter[str] = field(default_factory=Counter)  # other files in folders, by ending
    notes: tuple[str, ...] = ()

    @property
    def images_at_top(self) -> list[Path]:
        """The images among the files in the root itself."""
        return [path for path in self.at_top if path.name.lower().endswith(IMAGES)]


def found_images(root: Path, leave_out: str | None) -> Found:
    """All files below the root, without those that `data.reader.leave_out` matches."""
    found, without = Found(), 0
    for folder, _, names in folders(root):
        below = folder.relative_to(root)
        for name in names:
            path = below / name
            if is_left_out(leave_out, path.as_posix()):
                without += 1
            elif not below.parts:
                found.at_top.append(path)
            elif name.lower().endswith(IMAGES) or is_unnamed_dicom(folder / name):
                found.images.append(path)
            else:
                found.others[ending(name)] += 1
    found.notes = note_on_left_out(leave_out, without, root)
    return found
