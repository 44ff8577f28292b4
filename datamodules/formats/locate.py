"""Find a data set's files even if nested, renamed in case, or linked."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from datamodules.errors import BadFileError, DataError


def folders(root: Path, depth: int | None = None) -> Iterator[tuple[Path, list[str], list[str]]]:
    """Like `os.walk` from the top, sorted, through links but never twice into one real folder.

    Hidden entries are left out: macOS adds `._image1.png` files that are not images. `depth` limits
    the levels below `root`.

    Yields:
        Folder, names of its sub-folders, names of its files.
    """
    if not root.is_dir():
        return
    seen: set[tuple[int, int]] = set()
    for path, inner, files in os.walk(root, followlinks=True, onerror=_unreadable):
        folder = Path(path)
        status = folder.stat()
        real = status.st_dev, status.st_ino  # the same through every link
        level = len(folder.relative_to(root).parts)
        if real in seen:
            inner.clear()
            continue
        seen.add(real)
        inner[:] = sorted(name for name in inner if not name.startswith("."))
        yield folder, list(inner), sorted(name for name in files if not name.startswith("."))
        if depth is not None and level >= depth:
            inner.clear()


def find(root: Path | None, wanted: Callable[[str], bool] | str, depth: int = 3) -> Path | None:
    """The topmost file or folder of that name below `root`, in upper or lower case.

    Archives nest (`rsna/rsna/stage_2_train`), so `depth` levels are searched; the whole tree is
    not: it may hold a million slices. `wanted` is a name, or a test of lower-case names.
    """
    if root is None:
        return None
    test = wanted if callable(wanted) else wanted.lower().__eq__
    level = [root]
    for _ in range(depth + 1):
        below: list[Path] = []
        for folder in level:
            entries = sorted(folder.iterdir()) if folder.is_dir() else []
            for entry in entries:
                if test(entry.name.lower()):
                    return entry
            if len(entries) < 1000:  # a folder of thousands holds data, not further roots
                below += [entry for entry in entries if entry.is_dir()]
        level = below
    return None


def existing(path: Path) -> Path:
    """`path`, or its neighbour whose name differs in case only (`.JPG` for `.jpg`)."""
    if path.exists():
        return path
    if path.parent.is_dir():
        for neighbour in path.parent.iterdir():
            if neighbour.name.lower() == path.name.lower():
                return neighbour
    raise BadFileError(path, "the label file names it but it does not exist.")


def _unreadable(error: OSError) -> None:
    """Raise: `os.walk` would silently skip such a folder and all its images."""
    raise DataError(
        f"{error.filename}: the folder cannot be read ({error.strerror}); change its permissions "
        "or move it elsewhere."
    ) from error
