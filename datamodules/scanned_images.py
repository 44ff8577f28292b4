"""Every image of a data set read once: its size, digest and thumbnail, or why it is unreadable."""

import hashlib
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from datamodules.decode import BROKEN, in_file_order
from datamodules.deep_pixels import ENOUGH, deep_pixels
from datamodules.errors import (
    BadArchiveError,
    BadFileError,
    DataError,
    DeepPixelsError,
    TooFewImagesError,
)
from datamodules.image_data import ImageData
from datamodules.readable import most_readable
from datamodules.reader import Listing, Reader
from datamodules.resize import resize
from datamodules.selection import Selection, select

SIDE = 32  # pixels of a thumbnail
LARGEST = 20_000  # images scanned; of a larger set those of the test set, then of the training set
PARTS = ("train", "test", "unused")  # unused: balance or groups keep it out of both


@dataclass(frozen=True)
class ScannedImages:
    """What was found in the files, image by image; all arrays have one row per readable image."""

    total: int  # images with a label, scanned or not
    names: tuple[str, ...]
    labels: tuple[str, ...]
    groups: tuple[str, ...] | None
    sizes: tuple[tuple[int, int], ...]  # height, width, before resizing
    digests: tuple[str, ...]  # of the decoded pixels: equal for equal images in any file format
    thumbnails: np.ndarray  # (N, SIDE, SIDE) uint8, grey
    part: np.ndarray  # (N,) of PARTS
    unreadable: tuple[tuple[str, str], ...]  # name, reason
    most: int | None  # training images that remain without the unreadable ones
    warnings: tuple[str, ...] = ()  # on files that are no images of the set


@dataclass(frozen=True)
class _Image:
    size: tuple[int, int]
    digest: str
    thumbnail: np.ndarray


def scan(data: ImageData, train: int = LARGEST) -> ScannedImages:
    """Read every image with a label: the test set and at most `train` training images."""
    reader = data.open()
    listing = reader.listing()
    chosen = _selection(listing, data)
    labels = chosen.labels
    test, pool = chosen.subset.test, chosen.subset.train
    whole = train >= len(labels.index)
    rest = np.setdiff1d(np.arange(len(labels.index)), np.append(test, pool)) if whole else pool[:0]
    rows = np.concatenate([test, pool[:train], rest])[:LARGEST]
    parts = np.repeat(["test", "train", "unused"], [len(test), len(pool[:train]), len(rest)])
    wanted = labels.index[rows].tolist()
    read = partial(_read, reader, [])
    by_number = in_file_order(reader, wanted, read, f"scanning {data.name}")
    found = [by_number[i] for i in wanted]
    good = [k for k, one in enumerate(found) if isinstance(one, _Image)]
    images = [one for one in found if isinstance(one, _Image)]
    if deep := [one for one in found if isinstance(one, DeepPixelsError)]:
        raise deep_pixels(deep, len(good), sum(isinstance(one, str) for one in found))
    places = labels.index[rows[good]]
    readable = np.isin(np.arange(len(labels.index)), rows[good])
    is_whole = len(rows) >= len(test) + len(pool)
    return ScannedImages(
        total=len(labels.index),
        names=tuple(listing.name(i) for i in places.tolist()),
        labels=tuple(labels.classes[y] for y in labels.y[rows[good]].tolist()),
        groups=None if listing.groups is None else tuple(map(str, listing.groups[places])),
        sizes=tuple(one.size for one in images),
        digests=tuple(one.digest for one in images),
        thumbnails=np.stack([one.thumbnail for one in images]) if images else np.empty((0, 1, 1)),
        part=parts[: len(rows)][good],
        unreadable=tuple(
            (listing.name(i), one)
            for i, one in zip(wanted, found, strict=True)
            if isinstance(one, str)
        ),
        most=most_readable(chosen, readable, data.split) if is_whole else None,
        warnings=listing.warnings,
    )


def _selection(listing: Listing, data: ImageData) -> Selection:
    """Which images are tested and trained on, whatever the n of the settings."""
    try:
        return select(listing, data.task, replace(data, n=1))
    except TooFewImagesError as error:
        raise DataError(str(error)) from None


def _read(
    reader: Reader, deep: list[DeepPixelsError], i: int
) -> _Image | str | DeepPixelsError | None:
    """One image, or why it cannot be read; None if there are enough other than 8-bit images."""
    if len(deep) >= ENOUGH:
        return None
    try:
        image = reader.read(i)
    except BadArchiveError:
        raise
    except DeepPixelsError as error:
        deep.append(error)
        return error
    except BadFileError as error:
        return error.reason
    except BROKEN as error:
        return f"{type(error).__name__}: {error}"
    digest = hashlib.sha256(repr(image.shape).encode() + np.ascontiguousarray(image).tobytes())
    height, width = image.shape[:2]
    small = resize(image, SIDE, 1, True)
    return _Image((height, width), digest.hexdigest(), small.reshape(SIDE, SIDE))
