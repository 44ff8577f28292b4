"""From a reader to rows of a cache: read, resize, and replace unreadable images."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import torch

from datamodules.cache import Rows
from datamodules.deep_pixels import ENOUGH, deep_pixels
from datamodules.errors import BadArchiveError, BadFileError, DataError, DeepPixelsError
from datamodules.progress import progress
from datamodules.reader import Listing, Reader
from records.counted import counted

# what image libraries raise on broken files; anything else is a bug here and must be visible
BROKEN = (OSError, ValueError, SyntaxError, EOFError)

MOST_NAMED = 10  # unreadable images that an error names

Result = TypeVar("Result")


@dataclass
class ImageDecoder:
    """Decodes the images of one split in the order of a seed.

    Row i shows an image of class `wanted[i]`: the next readable one of that class in `order`. So an
    unreadable image is replaced by the next of its class, balance and nesting are kept, and the
    rows depend on (files, seed) only, not on what was cached before.
    """

    reader: Reader  # decodes single images; in several threads if it has `threadsafe = True`
    listing: Listing  # of the reader; has the images' names for messages
    wanted: np.ndarray  # the class of each row
    order: np.ndarray  # (M,) image numbers: the rows, then possible replacements
    kind: np.ndarray  # (M,) their classes
    prepare: Callable[[np.ndarray], np.ndarray]  # resizes a decoded image to a row
    skip: bool  # replace unreadable images; otherwise stop and name them
    title: str  # of the progress bar

    def __post_init__(self) -> None:
        self.errors: dict[int, BadFileError] = {}  # of the images decoded last
        self.deep: list[DeepPixelsError] = []  # of the images decoded last
        self.stopped = False  # images in the queue need not be read any more

    def block(self, start: int, stop: int, done: Rows) -> Rows:
        """Rows `start` to `stop`, and the images found to be unreadable."""
        wanted = self.wanted[start:stop]
        fresh = ~np.isin(self.order, np.append(done.source, done.bad))
        rows = {k: np.flatnonzero(wanted == k) for k in np.unique(wanted).tolist()}
        queue = {k: deque(self.order[fresh & (self.kind == k)].tolist()) for k in rows}
        good: dict[int, list[int]] = {k: [] for k in rows}
        pixels: dict[int, np.ndarray] = {}
        bad: list[int] = []
        while missing := {
            k: len(r) - len(good[k]) for k, r in rows.items() if len(r) > len(good[k])
        }:
            if any(not queue[k] for k in missing):
                count = counted(len(done.bad) + len(bad), "unreadable image")
                raise DataError(
                    f"{self.title}: {count} skipped and no readable ones of their class are left; "
                    "use a smaller n or data.test_n, or repair the files."
                )
            next_images = {
                k: [queue[k].popleft() for _ in range(m) if queue[k]] for k, m in missing.items()
            }
            found = self._decode([i for images in next_images.values() for i in images])
            for k, images in next_images.items():
                for i in images:
                    (bad if found[i] is None else good[k]).append(i)
            pixels |= {i: image for i, image in found.items() if image is not None}
        source = np.empty(stop - start, np.int64)
        for k, r in rows.items():
            source[r] = good[k]
        return Rows(np.stack([pixels[i] for i in source.tolist()]), source, np.array(bad, np.int64))

    def again(self, source: np.ndarray) -> np.ndarray:
        """Decode the same images again."""
        found = self._decode(source.tolist())
        whole = {i: image for i, image in found.items() if image is not None}
        if lost := [self.listing.name(i) for i in found if i not in whole]:
            raise BadFileError(lost[0], "could be read before, but not any more.")
        return np.stack([whole[i] for i in source.tolist()])

    def passed_over(self, rows: Rows) -> list[str]:
        """Names of the unreadable images that would have been among these rows."""
        rank = {i: place for place, i in enumerate(self.order.tolist())}
        kind = dict(zip(self.order.tolist(), self.kind.tolist(), strict=True))
        last = {kind[i]: rank[i] for i in rows.source.tolist()}  # rows of a class keep its order
        return [self.listing.name(i) for i in rows.bad.tolist() if rank[i] < last.get(kind[i], 0)]

    def _decode(self, images: list[int]) -> dict[int, np.ndarray | None]:
        """Rows by image number, None for an unreadable one."""
        self.errors, self.deep, self.stopped = {}, [], False
        found = in_file_order(self.reader, images, self._row, self.title)
        if self.deep:  # a setting is missing, so no file is skipped for it
            plain = sum(image is not None for image in found.values())
            raise deep_pixels(self.deep, plain, len(self.errors))
        if self.errors and not self.skip:
            raise _unreadable([self.errors[i] for i in sorted(self.errors)], len(images))
        return found

    def _row(self, i: int) -> np.ndarray | None:
        if self.stopped:
            return None
        try:
            return self.prepare(self.reader.read(i))
        except BadArchiveError:
            self.stopped = True
            raise
        except DeepPixelsError as error:
            self.deep.append(error)
            self.stopped |= len(self.deep) >= ENOUGH
        except BadFileError as error:
            self.errors[i] = error
        except BROKEN as error:
            reason = f"cannot be read ({type(error).__name__}: {error})."
            self.errors[i] = BadFileError(self.listing.name(i), reason)
        return None


def _unreadable(errors: list[BadFileError], read: int) -> DataError:
    """One error for all unreadable images, of which the first ten are named."""
    if len(errors) == 1:
        return errors[0]
    named = [f"    {error.file}: {error.reason}" for error in errors[:MOST_NAMED]]
    more = [f"    and {len(errors) - MOST_NAMED:,} more"] if len(errors) > MOST_NAMED else []
    first = f"{len(errors):,} of {read:,} images cannot be read; the first is {errors[0].file}"
    advice = (
        "Replace these files, or skip such files with data.on_bad_file=skip; "
        "python launch.py --difficulty data=... checks all images."
    )
    return DataError("\n".join([first, *named, *more, advice]))


def in_file_order(
    reader: Reader, images: Iterable[int], read: Callable[[int], Result], title: str
) -> dict[int, Result]:
    """`read(i)` for every image i, in several threads if the reader has `threadsafe = True`.

    File order, because the slices of one volume are then read together, and because a compressed
    array is read from its start for every step back.
    """
    threads = min(8, os.cpu_count() or 1) if getattr(reader, "threadsafe", False) else 1
    ordered = sorted(images)
    found = {}
    with progress(title, len(ordered)) as advance, _workers(threads) as pool:
        for i, result in zip(ordered, pool.map(read, ordered), strict=True):
            found[i] = result
            advance(1)
    return found


@contextmanager
def _workers(threads: int) -> Iterator[ThreadPoolExecutor]:
    """Threads in which torch uses one thread each.

    Its own parallelism does not pay off on single images: where two processes share two cores, one
    resizing to 224 px takes 2 ms with one thread and 50 ms with two that wait for each other.
    """
    before = torch.get_num_threads()
    try:
        with ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,)) as pool:
            yield pool
    finally:
        torch.set_num_threads(before)
