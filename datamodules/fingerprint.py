"""The identity of a run's data: its images and labels, not their location.

Every image of a set counts, with its name below the root, its label, its group and the content of
its file. Of a set of more than 10,000 files, only the images that a run trains and tests on count:
reading all of CheXpert or ImageNet for a digest would take longer than training.
"""

import hashlib
import json
from collections.abc import Callable

import numpy as np

from datamodules.content import Contents
from datamodules.files import Files
from datamodules.identity import digest
from datamodules.reader import Listing
from datamodules.selection import Selection
from records.data_identity import DataIdentity, Image, Manifest

ALL_FILES = 10_000  # files that are all read for their digests, once: a few seconds

SPREAD = np.uint64(0x9E3779B97F4A7C15)  # odd: parts of one file never collide

Arrays = dict[str, np.ndarray]


def identify(
    listing: Listing,
    select: Callable[[], Selection],
    n: int,
    contents: Contents,
    replaces: tuple[str, ...] = (),
    rules: tuple[str, ...] = (),
) -> DataIdentity | None:
    """The identity of the images that a run uses; None for images that are in no file.

    `select` chooses the images of the run and is called for large sets only; `replaces` are the
    settings that locate the data, which the identity replaces in a run's key; `rules` divided
    these images (see `Selection`), as those of the listing read them.
    """
    files = listing.files
    if files is None:
        return None
    if covers_all(listing):
        images = np.arange(len(listing))
        arrays = _arrays_of_all(listing)
    else:
        selection = select()
        used = selection.used(n)
        images = selection.labels.index[used]
        is_test = np.arange(len(used)) < len(selection.subset.test)
        arrays = {"label": selection.labels.y[used], "test": is_test}
    if listing.groups is not None:
        arrays["group"] = listing.groups[images]
    if files.part is not None:
        arrays["part"] = files.part[images]
    numbers, file = np.unique(files.of_images(images), return_inverse=True)
    names = [files.name(k) for k in numbers.tolist()]
    digests = contents.digests([files.path(k) for k in numbers.tolist()])
    arrays["file"] = file

    def manifest() -> Manifest:
        named = list(zip(names, digests, strict=True))
        return Manifest(len(listing), _images(arrays, named))

    fingerprint = _digest(listing, names, digests, arrays)
    whole = fingerprint if covers_all(listing) else None
    if rules:
        fingerprint = digest(fingerprint, *sorted(rules))
    return DataIdentity(fingerprint, replaces, manifest, fingerprint, whole)


def covers_all(listing: Listing) -> bool:
    """Whether every image of a set counts, and not only those of the run."""
    return listing.files is None or len(listing.files.names) <= ALL_FILES


def content_of_images(files: Files, contents: Contents, images: np.ndarray) -> np.ndarray:
    """(images,) uint64: a number that changes with the content of an image's file, or its part."""
    numbers, file = np.unique(files.of_images(images), return_inverse=True)
    digests = contents.digests([files.path(k) for k in numbers.tolist()])
    short = [hashlib.blake2b(one.encode(), digest_size=8).digest() for one in digests]
    number = np.array([int.from_bytes(one) for one in short], np.uint64)[file]
    if files.part is None:
        return number
    return number + files.part[images].astype(np.uint64) * SPREAD  # wraps around


def _arrays_of_all(listing: Listing) -> Arrays:
    arrays = {"label": listing.labels}
    if listing.official_test is not None:
        arrays["test"] = listing.official_test
    return arrays | {f"finding {name}": values for name, values in listing.findings.items()}


def _digest(listing: Listing, names: list[str], digests: list[str], arrays: Arrays) -> str:
    state = hashlib.blake2b(digest_size=8)  # 16 hexadecimal digits
    rules = [sorted(listing.rules)] if listing.rules else []
    state.update(json.dumps([listing.classes, names, digests, *rules]).encode())
    for name in sorted(arrays):
        values = arrays[name]
        # text as UTF-8, numbers in one width: independent of the platform's types
        plain = values.astype(np.int64) if values.dtype.kind in "iub" else values.astype(str)
        state.update(json.dumps([name, plain.tolist()]).encode())
    return state.hexdigest()


def _images(arrays: Arrays, files: list[tuple[str, str]]) -> dict[str, Image]:
    """Label, group and content of every image by its name."""
    blank = [""] * len(arrays["file"])
    labels = arrays["label"].tolist()
    groups = [str(one) for one in arrays["group"].tolist()] if "group" in arrays else blank
    parts = [f", {one}" for one in arrays["part"].tolist()] if "part" in arrays else blank
    return {
        files[k][0] + part: (label, group, files[k][1])
        for k, part, label, group in zip(
            arrays["file"].tolist(), parts, labels, groups, strict=True
        )
    }
