"""Notes on folders below the classes: they may be patients, parts, or the classes themselves."""

from collections.abc import Sequence
from pathlib import Path

from datamodules.readers.parts import are_parts
from datamodules.readers.setting import setting
from records.counted import counted

SHOWN = 5  # names of folders


def inner_folders(paths: Sequence[Path], level: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Notes and warnings on `paths`, of which part `level` names the class.

    >>> patients = [Path(f"{kind}/p{k // 2}/{k}.png") for kind in ("cat", "dog") for k in range(6)]
    >>> inner_folders(patients, 0)[0][0][:62]
    'the images lie in 6 folders below the classes; if each is a pa'
    >>> swapped = [Path(f"p{k}/{kind}/1.png") for kind in ("cat", "dog") for k in range(4)]
    >>> inner_folders(swapped, 0)[1][0]
    'the folders in the 4 classes have only 2 names (cat, dog); if these are the classes, ...'
    """
    if not paths or any(len(path.parts) < level + 3 for path in paths):
        return (), ()
    outer = {path.parts[level] for path in paths}
    inner = {path.parts[level + 1] for path in paths}
    pairs = {path.parts[level : level + 2] for path in paths}
    names = ", ".join(sorted(inner)[:SHOWN]) + (", ..." if len(inner) > SHOWN else "")
    if are_parts(inner):
        return (
            f"the folders {names} below the classes are read as one set; above the classes, as "
            "<root>/train/<class>/1.png, they are an official split",
        ), ()
    if 1 < len(inner) <= len(outer) / 2:  # three classes may have folders `left` and `right`
        return (), (
            f"the folders in the {len(outer)} classes have only {len(inner)} names ({names}); "
            "if these are the classes, put them above, or give the labels in a table: "
            "data.reader.labels=labels.csv",
        )
    if len(pairs) == len(paths) or len(pairs) == len(outer):
        return (), ()
    pattern = "[^/]+/" * (level + 1) + "([^/]+)/"
    return (
        f"the images lie in {counted(len(pairs), 'folder')} below the classes; if each is a "
        f"patient or the like, {setting('data.reader.group_pattern', pattern)} keeps it on one "
        "side of a split",
    ), ()
