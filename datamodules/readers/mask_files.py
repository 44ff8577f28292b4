"""Masks among a user's own images: files that are named like an image and drawn over it."""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path, PurePath

from datamodules.errors import DataError
from datamodules.readers.folder_item import stem
from datamodules.readers.setting import setting
from records.counted import counted

# folders of them, as words of their names: `masks`, `trimaps`, `labelsTr`, `FSL_SEG`
PLURAL = {"masks", "segmentations", "trimaps", "annotations", "labels", "groundtruth"}
FOLDERS = PLURAL | {"mask", "seg", "segmentation", "gt"}
# `1_mask.png`, `1_mask_2.png` beside `1.png`
SUFFIX = re.compile(r"(?P<image>.+?)(?P<mask>[ _.-](?:masks?|seg|segmentation|gt))[ _-]?\d*", re.I)
SOUNDS = re.compile("mask|seg|gt", re.I)  # faster: most sets have none
LAST = re.compile("(.+)[ _.-]")


def check_no_masks(root: Path, paths: Sequence[Path], level: int) -> None:
    """Raise if there are masks: they show the class, and copies of a shape are no images.

    A mask has the name of an image: with a suffix in its folder, or in a folder of masks. A class
    can have such a folder's name: see `_is_class`.

    >>> names = ["a/images/1.png", "a/masks/1.png", "b/images/2.png", "b/masks/2.png"]
    >>> check_no_masks(Path("set"), [Path(name) for name in names], 0)
    Traceback (most recent call last):
    datamodules.errors.DataError: set: 2 images are named like others and may be their masks, ...
    """
    by_suffix = _with_suffix(paths)
    by_folder = {} if by_suffix else _in_folders(paths, level)
    pairs = by_suffix or by_folder
    if not pairs:
        return
    mask, image = next(iter(pairs.items()))
    suffix = SUFFIX.fullmatch(stem(mask.name)) if by_suffix else None
    parents = {path.parts[k] for path in pairs if (k := _mask_folder(path)) is not None}
    either = "|".join(map(re.escape, sorted(parents)))
    inner = f"({either})" if len(parents) > 1 else either
    pattern = re.escape(suffix["mask"]) if suffix else f"(^|/){inner}/"
    every = "^" + "[^/]+/" * level + "([^/]+)/"
    raise DataError(
        f"{root}: {counted(len(pairs), 'image')} are named like others and may be their masks, "
        f"such as `{mask.as_posix()}` of `{image.as_posix()}`. Leave them out: "
        f"{setting('data.reader.leave_out', pattern)}; or, if they are images of the set, read "
        f"all: {setting('data.reader.label_pattern', every)}."
    )


def _with_suffix(paths: Sequence[Path]) -> dict[Path, Path]:
    """Masks beside their image, with that image."""
    if not any(SOUNDS.search(path.name) for path in paths):
        return {}
    names = {path: SUFFIX.fullmatch(stem(path.name)) for path in paths}
    images: dict[tuple[Path, str], Path] = {}
    for path in (path for path, name in names.items() if not name):
        own = stem(path.name)
        begin = LAST.match(own)  # scans of one patient: `7_flair`, `7_t1` and `7_seg`
        for key in (own, *([begin[1]] if begin else [])):
            images.setdefault((path.parent, key), path)
    found = {}
    for path, name in names.items():
        if name and (image := images.get((path.parent, name["image"]))):
            found[path] = image
    return found


def _in_folders(paths: Sequence[Path], level: int) -> dict[Path, Path]:
    """Masks in folders of their own, if at least half of the images there have a partner."""
    if all(_mask_folder(path) is None for path in paths):
        return {}
    classes = {path.parts[level] for path in paths if len(path.parts) > level + 1}
    masks: list[Path] = []
    images: dict[str, Path] = {}
    for path in paths:
        k = _mask_folder(path)
        if k is None or (k == level and _is_class(path.parts[k], classes)):
            images.setdefault(_without_suffix(path), path)
        else:
            masks.append(path)
    found = {path: own for path in masks if (own := images.get(_without_suffix(path)))}
    return found if len(found) > len(masks) / 2 else {}


def _mask_folder(path: PurePath) -> int | None:
    """Which part of a path is a folder of masks."""
    for k, name in enumerate(path.parts[:-1]):
        if _words(name) & FOLDERS:
            return k
    return None


def _is_class(name: str, classes: set[str]) -> bool:
    """Whether other classes have the word, such as `with_mask` and `without_mask`, or `nomask`.

    Or whether it is a thing like them, such as `mask` beside `hat` and `glasses`.
    """
    words, others = _words(name) & FOLDERS, classes - {name}
    is_thing = not words & PLURAL and len(others) > 1
    return is_thing or any(word in other.lower() for word in words for other in others)


@cache  # there are many more images than folders
def _words(name: str) -> set[str]:
    return {word.lower() for word in re.findall("[A-Z]?[a-z]+|[A-Z]+", name)}


def _without_suffix(path: PurePath) -> str:
    name = stem(path.name)
    found = SUFFIX.fullmatch(name)
    return (found["image"] if found else name).lower()
