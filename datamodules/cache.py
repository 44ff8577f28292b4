"""Decoded images on disk, decoded once, memory-mapped by every later run and process.

An entry is one file of rows that only grows: a run that needs more images appends them, so nested
subsets share their rows. Beside it is an index with every row's image and checksum, replaced
atomically after the rows are safely on disk: a row that is not in the index does not count, so a
full disk or a killed process leaves the entry intact. A lock lets one process append.
"""

import itertools
import json
import logging
import os
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from datamodules.errors import DataError
from datamodules.identity import digest
from records.atomic import replacing
from records.lock import Lock
from records.regular_file import check_regular

log = logging.getLogger(__name__)

# rows written between two updates of the index: the most that a kill loses
BLOCK_BYTES = 128 * 2**20


INDEX = {  # its arrays
    "source": np.int64,
    "checksum": np.uint32,
    "content": np.uint64,
    "bad": np.int64,
    "bad_content": np.uint64,
}


def _unchanging(images: np.ndarray) -> np.ndarray:
    return np.zeros(len(images), np.uint64)


@dataclass(frozen=True)
class Rows:
    """Images of an entry, or of a block that is about to be appended to it."""

    pixels: np.ndarray  # (rows, channels, size, size) uint8
    source: np.ndarray  # (rows,) int64: number in the listing
    bad: np.ndarray  # (bad,) int64: images that cannot be read


class Decoder(Protocol):
    """Decodes the pixels of an entry."""

    def block(self, start: int, stop: int, done: Rows) -> Rows:
        """Decode rows `start` to `stop`; `done` has the existing rows; `bad` only new ones."""
        ...

    def again(self, source: np.ndarray) -> np.ndarray:
        """Decode images that were decoded before: (rows, channels, size, size)."""
        ...


class ImageCache:
    """Rows of one shape, uint8, in the folder of an identity.

    The identity is everything the pixels depend on, except the content of files: reader options,
    order, size, channels. `content` returns a number for each image that changes with the content
    of its file; None for images that never change. An entry with rows of other contents is kept,
    for runs that still map it, and another is created beside it.
    """

    def __init__(
        self,
        folder: Path,
        identity: Mapping[str, object],
        shape: tuple[int, ...],
        content: Callable[[np.ndarray], np.ndarray] | None = None,
    ) -> None:
        self.identity = json.dumps({**identity, "shape": shape}, sort_keys=True, default=str)
        self.folder = self.first = folder / "images" / digest(self.identity)
        self.shape = shape
        self.content = content or _unchanging
        self.row_bytes = int(np.prod(shape))

    def rows(self, n: int, decoder: Decoder) -> Rows:
        """The first n rows, memory-mapped; missing ones are decoded and appended."""
        index = self._choose_entry(n)
        if len(index["source"]) < n or len(self._damaged(index, n)):
            try:
                with Lock(self.first / "lock", on_wait=self._log_waiting):
                    self._choose_entry(n)
                    self._repair(n, decoder)  # another process may have done it while we waited
                    self._extend(n, decoder)
            except OSError as error:
                raise DataError(
                    f"The cache {self.folder} cannot be written ({error.strerror}); its content "
                    "is intact. Free some space, or set paths.cache=<a folder elsewhere>."
                ) from error
            index = self._index()
        return Rows(self._pixels(n), index["source"][:n], index["bad"])

    def _choose_entry(self, n: int) -> dict[str, np.ndarray]:
        """Select the first entry whose rows match the current files; returns its index."""
        for number in itertools.count():
            suffix = f"-{number}" if number else ""
            self.folder = self.first.with_name(f"{self.first.name}{suffix}")
            index = self._index()
            known = np.append(index["content"][:n], index["bad_content"])
            now = self.content(np.append(index["source"][:n], index["bad"]))
            if np.array_equal(known, now):
                return index
        raise AssertionError  # unreachable: an entry that does not exist yet matches any files

    def _log_waiting(self, holder: str) -> None:
        log.info("waiting for images that %s is decoding", holder)

    def _pixels(self, n: int) -> np.ndarray:
        # copy-on-write: no accidental change reaches the file
        path = self.folder / "rows.u8"
        return np.memmap(path, np.uint8, mode="c", shape=(n, *self.shape))

    def _index(self) -> dict[str, np.ndarray]:
        path = self.folder / "index.npz"
        try:
            check_regular(path)
            with np.load(path, allow_pickle=False) as file:
                return {key: file[key] for key in INDEX}
        except FileNotFoundError:
            pass
        except Exception as error:  # a damaged archive can raise anything
            log.warning(
                "cache: the index %s is damaged (%s); its images are decoded again", path, error
            )
        return {key: np.zeros(0, kind) for key, kind in INDEX.items()}

    def _write_index(self, **arrays: np.ndarray) -> None:
        path = self.folder / "index.npz"
        named: dict[str, Any] = {"identity": np.array(self.identity), **arrays}
        with replacing(path) as temporary, temporary.open("wb") as file:
            np.savez(file, **named)

    def _damaged(self, index: dict[str, np.ndarray], n: int) -> np.ndarray:
        """Rows among the first n whose pixels are not those that were written (3 GB/s)."""
        n = min(n, len(index["source"]))
        path = self.folder / "rows.u8"
        whole = min(n, path.stat().st_size // self.row_bytes if path.exists() else 0)
        pixels = self._pixels(whole) if whole else ()
        good = np.zeros(n, bool)
        good[:whole] = [zlib.crc32(row) for row in pixels] == index["checksum"][:whole]
        return np.flatnonzero(~good)

    def _repair(self, n: int, decoder: Decoder) -> None:
        index = self._index()
        damaged = self._damaged(index, n)
        if not len(damaged):
            return
        log.warning(
            "cache: %d of %d images in %s are damaged and decoded again",
            len(damaged),
            min(n, len(index["source"])),
            self.folder,
        )
        step = max(1, BLOCK_BYTES // self.row_bytes)
        for rows in (damaged[i : i + step] for i in range(0, len(damaged), step)):
            pixels = decoder.again(index["source"][rows])
            self._write(rows, pixels)
            index["checksum"][rows] = [zlib.crc32(row) for row in pixels]
        self._write_index(**index)

    def _extend(self, n: int, decoder: Decoder) -> None:
        index = self._index()
        step = max(1, BLOCK_BYTES // self.row_bytes)
        while (start := len(index["source"])) < n:
            stop = min(n, start + step)
            block = decoder.block(start, stop, Rows(np.empty(0), index["source"], index["bad"]))
            self._write(np.arange(start, stop), block.pixels)
            sums = np.array([zlib.crc32(row) for row in block.pixels], np.uint32)
            fresh = {
                "source": block.source,
                "checksum": sums,
                "content": self.content(block.source),
                "bad": block.bad,
                "bad_content": self.content(block.bad),
            }
            index = {key: np.append(index[key], fresh[key]) for key in INDEX}
            self._write_index(**index)

    def _write(self, rows: np.ndarray, pixels: np.ndarray) -> None:
        path = self.folder / "rows.u8"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        size = path.stat().st_size
        try:
            with path.open("r+b") as file:
                for row, image in zip(rows, pixels, strict=True):
                    file.seek(int(row) * self.row_bytes)
                    file.write(np.ascontiguousarray(image).data)
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            os.truncate(path, size)  # drop the partial rows that a full disk left
            raise
