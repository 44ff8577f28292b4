"""Folders that cannot be the classes: parts of a set, or a second copy of it."""

import re
from collections.abc import Sequence
from pathlib import Path

from datamodules.errors import DataError
from datamodules.readers.parts import PARTS
from datamodules.readers.setting import setting
from datamodules.readers.tables_below import tables_below
from records.first_of import first_of

SPLIT = (*PARTS, "pred", "dev")
# what numbered folders hold: `images_001`, `part_2`; not `grade_1`
PIECES = ("part", "batch", "disc", "image", "images", "img", "imgs", "data", "set", "chunk")
WORDS = re.compile(r"[0-9]+|[A-Z]?[^\W\d_A-Z]+|[^\W\d_]+")  # of any alphabet


def check_are_no_pieces(root: Path, paths: Sequence[Path], level: int) -> None:
    """Raise if the folders at `level` of the paths are parts, or one has all the others again."""
    names = sorted({path.parts[level] for path in paths})
    if are_pieces(names):
        raise DataError(
            f"{root}: {first_of(names)} are parts of a set, not classes. "
            f"{_ways(root, paths, level)}"
        )
    inner = _inner(paths, level)
    if outer := _copy(inner):
        others = [name for name in names if name != outer]
        copy = root.joinpath(*paths[0].parts[:level], outer)
        pattern = "^" + "[^/]+/" * level + re.escape(outer) + "/"
        raise DataError(
            f"{root}: the folder {outer} has the folders {first_of(others)} again, which are "
            "beside it: one set may be there twice. Read one of them: "
            f"{setting('data.root', copy)}; or leave it out: "
            f"{setting('data.reader.leave_out', pattern)}."
        )
    if others := _beside_parts(inner):
        either = "|".join(map(re.escape, others))
        pattern = "^" + "[^/]+/" * level + (f"({either})/" if len(others) > 1 else f"{either}/")
        raise DataError(
            f"{root}: {first_of(others)} beside {first_of(sorted(inner.keys() - set(others)))}, "
            "which are parts of a split set and have the same classes in them. Move it away, or "
            f"leave it out: {setting('data.reader.leave_out', pattern)}."
        )


def are_pieces(names: Sequence[str]) -> bool:
    """Whether names differ only in words such as train and test, or number pieces of a set.

    >>> are_pieces(["a. Training Set", "b. Testing Set"]), are_pieces(["images_1", "images_2"])
    (True, True)
    >>> are_pieces(["grade_1", "grade_2"]), are_pieces(["bus", "train"]), are_pieces(["train"])
    (False, False, False)
    >>> are_pieces(["image_猫_1", "image_犬_1"])
    False
    """
    if len(names) < 2:
        return False
    words = [WORDS.findall(name) for name in names]
    # without the letters of a list, as in `a. Training Set`
    low = [[w.lower() for w in own if not re.fullmatch("[a-zA-Z]", w)] for own in words]
    without_split = {tuple(word for word in own if word not in SPLIT) for own in low}
    if all(set(own) & set(SPLIT) for own in low) and len(without_split) == 1:
        return True
    without_number = {tuple(word for word in own if not word.isdigit()) for own in low}
    numbered = all(any(word.isdigit() for word in own) for own in low)
    return numbered and len(without_number) == 1 and bool(set(*without_number) & set(PIECES))


def _inner(paths: Sequence[Path], level: int) -> dict[str, set[str]]:
    """The names of the folders in each folder at this level."""
    inner: dict[str, set[str]] = {path.parts[level]: set() for path in paths}
    for path in paths:
        if len(path.parts) > level + 2:
            inner[path.parts[level]].add(path.parts[level + 1])
    return inner


def _copy(inner: dict[str, set[str]]) -> str | None:
    """The folder whose inner folders are named like all the others, two or more.

    Only if it alone has such names: the patients 0, 1 ... may lie in each of the classes 0, 1 ...
    """
    having = [name for name, own in inner.items() if own & inner.keys()]
    if len(having) != 1 or len(inner) < 3:
        return None
    return having[0] if inner.keys() - set(having) <= inner[having[0]] else None


def _beside_parts(inner: dict[str, set[str]]) -> list[str]:
    """The folders beside two parts of a split set or more, which have the same classes."""
    parts = [name for name in inner if name.lower() in PARTS]
    if len(parts) < 2 or len(set.intersection(*(inner[name] for name in parts))) < 2:
        return []
    return sorted(inner.keys() - set(parts))


def _ways(root: Path, paths: Sequence[Path], level: int) -> str:
    """What to do about parts."""
    read = setting("data.reader.label_pattern", "^" + "[^/]+/" * level + "([^/]+)/")
    inner = {path.parts[level + 1] for path in paths if len(path.parts) > level + 2}
    if len(inner) > 1:
        below = setting("data.reader.label_pattern", ".*/([^/]+)/")
        trained = [path for path in paths if "train" in path.parts[level].lower()]
        first = root.joinpath(*(trained or paths)[0].parts[: level + 1])
        return (
            f"Read one of them: {setting('data.root', first)}; or all, with the folder of each "
            f"image as its class: {below}; or, if they are classes: {read}."
        )
    tables = tables_below(root) or setting("data.reader.labels", "labels.csv")
    return f"Give the labels in a table: {tables}; or, if they are classes: {read}."
