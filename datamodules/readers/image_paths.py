"""Paths of a label table as files below the root: with their ending, or with advice."""

import os
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from datamodules.formats.locate import folders
from datamodules.readers.folder_item import IMAGES
from datamodules.readers.setting import setting


def normal(path: str) -> str:
    r"""One spelling of a path, so that no image is two.

    >>> normal("./x//0.png"), normal("x\\0.png"), normal("")
    ('x/0.png', 'x/0.png', '')
    """
    return os.path.normpath(path.replace("\\", "/")) if path else ""


@dataclass(frozen=True)
class ImagePaths:
    """The files below a root, looked up as tables name them."""

    root: Path

    def find(self, written: str) -> str:
        """The path as it is below the root: `isic_17` is `isic_17.jpg`, if only one file fits.

        Many published tables name images by an id without the ending of the file.
        """
        path = normal(written)
        if not path or path.lower().endswith(IMAGES) or is_file(self.root / path):
            return path
        found = self._by_stem.get(path, [])
        return found[0] if len(found) == 1 else path

    def advice(self, path: str) -> str:
        """What to do about a path that is no file, if a file of that name is elsewhere."""
        name = PurePosixPath(path).name.lower()
        near = ""
        for folder, _, names in folders(self.root):
            same = [one for one in names if name in (one.lower(), _stem(one).lower())]
            fitting = [one for one in same if path in (one, _stem(one))]
            if folder != self.root and (len(fitting) == 1 or is_file(folder / path)):
                return f"set {setting('data.root', folder)}"
            if same and not near:
                near = (folder.relative_to(self.root) / same[0]).as_posix()
        return f"below it there is `{near}`: write paths so" if near else ""

    @cached_property
    def _by_stem(self) -> dict[str, list[str]]:
        """The images below the root by their path without ending."""
        found = defaultdict(list)
        for folder, _, names in folders(self.root):
            for name in names:
                path = (folder.relative_to(self.root) / name).as_posix()
                if name.lower().endswith(IMAGES):
                    found[_stem(path)].append(path)
        return found


def is_file(path: Path) -> bool:
    """Whether there is such a file; also of a text that is too long for a name, as a report is.

    >>> is_file(Path("word " * 100))
    False
    """
    try:
        return path.is_file()
    except OSError:
        return False


def _stem(path: str) -> str:
    """A path without the ending of an image.

    >>> _stem("a.b/1.nii.gz"), _stem("1.2.3.dcm")
    ('a.b/1', '1.2.3')
    """
    ending = max((one for one in IMAGES if path.lower().endswith(one)), key=len, default="")
    return path.removesuffix(path[len(path) - len(ending) :])
