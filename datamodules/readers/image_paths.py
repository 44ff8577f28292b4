"""Paths of a label table as files below the root: with their ending, or with advice."""

import os
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from datamodules.formats.locate import folders
from datamodules.readers.folder_item import IMAGES, stem
from datamodules.readers.path_patterns import is_left_out
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
    leave_out: str | None = None  # regular expression for files that are not looked at

    def find_all(self, written: Iterable[str]) -> list[str]:
        """The paths of a table as they are below the root.

        Many published tables name images without the ending (`isic_17` is `isic_17.jpg`, if only
        one file fits) or without their folders. Folders are searched if all names lack them, none
        is a file in the root, and no name is in two folders: images and masks may be named alike.
        """
        paths = [self._with_ending(normal(one)) for one in written]
        if any("/" in path for path in paths) or any(self._exists(path) for path in paths):
            return paths
        found = [self._by_name.get(path, []) for path in paths]
        if any(len(files) > 1 for files in found):
            return paths
        return [files[0] if files else path for path, files in zip(paths, found, strict=True)]

    def images_in(self, path: str) -> list[str]:
        """The images in a folder that a table names, by its path, or by its name if one has it."""
        if not path or path.lower().endswith(IMAGES):
            return []
        named = self._folders_by_name.get(path, [])
        return self._by_folder.get(named[0] if len(named) == 1 else path, [])

    def names_images(self, written: str) -> bool:
        """Whether a text names an image below the root, several, or a folder of images."""
        path = self._with_ending(normal(written))
        return self._exists(path) or path in self._by_name or bool(self.images_in(path))

    def advice(self, path: str, table: Path) -> str:
        """What to do about a path of `table` that is no file, if a file of that name is elsewhere.

        '' if there is none.
        """
        alike = self._by_name.get(path, [])
        if len(alike) > 1:
            first, second = (setting("data.root", (self.root / one).parent) for one in alike[:2])
            labels = setting("data.reader.labels", table.absolute())
            return (
                f"`{alike[0]}` and `{alike[1]}` have this name: write paths so, or set {first} or "
                f"{second}, whichever the table is of, and {labels}"
            )
        name = PurePosixPath(path).name.lower()
        near = ""
        for folder, _, names in folders(self.root):
            same = [one for one in names if name in (one.lower(), stem(one).lower())]
            fitting = [one for one in same if path in (one, stem(one))]
            if folder != self.root and (len(fitting) == 1 or is_file(folder / path)):
                return _other_root(folder, table)
            if same and not near:
                near = (folder.relative_to(self.root) / same[0]).as_posix()
        return f"below it there is `{near}`: write paths so" if near else ""

    def _with_ending(self, path: str) -> str:
        if not path or path.lower().endswith(IMAGES) or self._exists(path):
            return path
        found = self._by_stem.get(path, [])
        return found[0] if len(found) == 1 else path

    def _exists(self, path: str) -> bool:
        return bool(path) and is_file(os.path.join(self.root, path))  # noqa: PTH118, slower

    @property
    def images(self) -> list[str]:
        """The images below the root, without those that are left out."""
        return self._images[0]

    @property
    def without(self) -> int:
        """How many images are left out."""
        return self._images[1]

    @cached_property
    def _images(self) -> tuple[list[str], int]:
        found, without = [], 0
        for folder, _, names in folders(self.root):
            below = "" if folder == self.root else f"{folder.relative_to(self.root).as_posix()}/"
            for name in names:
                if not name.lower().endswith(IMAGES):
                    continue
                if is_left_out(self.leave_out, below + name):
                    without += 1
                else:
                    found.append(below + name)
        return found, without

    @cached_property
    def _by_folder(self) -> dict[str, list[str]]:
        """The images in every folder, and in the folders in it."""
        found = defaultdict(list)
        for path in self.images:
            for folder in PurePosixPath(path).parents[:-1]:
                found[str(folder)].append(path)
        return found

    @cached_property
    def _folders_by_name(self) -> dict[str, list[str]]:
        return _listed_by((path, {PurePosixPath(path).name}) for path in self._by_folder)

    @cached_property
    def _by_stem(self) -> dict[str, list[str]]:
        """The images below the root by their path without ending."""
        return _listed_by((path, {stem(path)}) for path in self.images)

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        """The images in folders below the root by their name, with and without ending."""
        last = (path.rpartition("/")[2] for path in self.images)
        return _listed_by(
            (path, {name, stem(name)}) for path, name in zip(self.images, last, strict=True)
        )


def is_file(path: Path | str) -> bool:
    """Whether there is such a file; also of a text that is too long for a name, as a report is.

    >>> is_file(Path("word " * 100))
    False
    """
    return os.path.isfile(path)  # noqa: PTH113, which is slower and raises for long names


def _other_root(folder: Path, table: Path) -> str:
    return f"set {setting('data.root', folder)} {setting('data.reader.labels', table.absolute())}"


def _listed_by(named: Iterable[tuple[str, set[str]]]) -> dict[str, list[str]]:
    """Paths, each given with its names, by these names."""
    found = defaultdict(list)
    for path, names in named:
        for name in names:
            found[name].append(path)
    return found
