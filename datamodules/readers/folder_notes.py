"""Notes on folders below the classes: they may be patients, parts, or the classes themselves."""

from collections.abc import Sequence
from pathlib import Path

from datamodules.readers.parts import are_parts
from datamodules.readers.setting import setting
from records.counted import counted
from records.first_of import first_of


def inner_folders(paths: Sequence[Path], level: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Notes and warnings on `paths`, of which part `level` names the class.

    >>> patients = [Path(f"{kind}/p{k // 2}/{k}.png") for kind in ("cat", "dog") for k in range(6)]
    >>> inner_folders(patients, 0)[0][0][:62]
    'the images lie in 6 folders below the classes; if each is a pa'
    >>> swapped = [Path(f"p{k}/{kind}/1.png") for kind in ("cat", "dog") for k in range(4)]
    >>> inner_folders(swapped, 0)[1][0]
    'the folders in the 4 classes have only 2 names (cat, dog); if these are the classes: ...'
    """
    if not paths or any(len(path.parts) < level + 3 for path in paths):
        return (), ()
    outer = {path.parts[level] for path in paths}
    inner = {path.parts[level + 1] for path in paths}
    if len(outer) < 2:  # an error of its own
        return (), ()
    names = first_of(sorted(inner))
    if are_parts(inner):
        return (
            f"the folders {names} below the classes are read as one set; above the classes, as "
            "<root>/train/<class>/1.png, they are an official split",
        ), ()
    if 1 < len(inner) <= len(outer) / 2:  # three classes may have folders `left` and `right`
        return (), (
            f"the folders in the {len(outer)} classes have only {len(inner)} names ({names}); "
            f"if these are the classes: {_label(level + 1)}",
        )
    pairs = {path.parts[level : level + 2] for path in paths}
    numbered = all(any(map(str.isdigit, name)) for name in inner)  # as patients are
    is_grid = len(inner) > 2 and len(pairs) == len(outer) * len(inner) < len(paths)
    if is_grid and not numbered:
        return (), (
            f"each of the {len(outer)} classes ({first_of(sorted(outer))}) has the same "
            f"{len(inner)} folders ({names}); if these are the classes: {_label(level + 1)}; if "
            f"each is a patient or the like: {_group(level + 1)}",
        )
    return _note_on_levels(paths, level), ()


def _note_on_levels(paths: Sequence[Path], level: int) -> tuple[str, ...]:
    """A note on levels below the class of more folders than above them and fewer than images."""
    found = []
    above = len({path.parts[: level + 1] for path in paths})
    for depth in range(level + 1, min(len(path.parts) for path in paths) - 1):
        count = len({path.parts[: depth + 1] for path in paths})
        if above < count < len(paths):
            found.append((count, depth))
        above = count
    if not found:
        return ()
    count, depth = found[0]
    more = (
        f"; the {number:,} folders such as {paths[0].parts[deeper]} in them: {_group(deeper)}"
        for number, deeper in found[1:]
    )
    return (
        f"the images lie in {counted(count, 'folder')} below the classes; if each is a patient or "
        f"the like, {_group(depth)} keeps it on one side of a split{''.join(more)}; if they are "
        f"the classes: {_label(depth)}",
    )


def _label(depth: int) -> str:
    return setting("data.reader.label_pattern", "^" + "[^/]+/" * depth + "([^/]+)/")


def _group(depth: int) -> str:
    return setting("data.reader.group_pattern", "[^/]+/" * depth + "([^/]+)/")
