"""Decoded images on disk, decoded once, memory-mapped by every later run and process.

An entry is one file of rows that only grows: a run that wants more images appends them, so nested
subsets share their rows. `count` in the entry's state file is renewed, atomically, after the rows
are safely on disk; rows beyond it do not exist for a reader. A lock lets one process append.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from records.atomic import write_text
from records.lock import Lock


class ImageCache:
    """Rows of (channels, size, size) uint8 under a content key.

    Args:
        folder: `paths.cache`.
        identity: everything the pixels depend on: files, reader options, order, size, channels.
    """

    def __init__(self, folder: Path, identity: dict[str, object], shape: tuple[int, ...]) -> None:
        text = json.dumps(identity, sort_keys=True, default=str)
        self.folder = folder / "images" / hashlib.sha256(text.encode()).hexdigest()[:16]
        self.identity = text
        self.shape = shape

    @property
    def count(self) -> int:
        """Rows that are whole and may be read."""
        state = self.folder / "state.json"
        return json.loads(state.read_text())["count"] if state.exists() else 0

    def rows(self, n: int, decode: Callable[[int, int], Iterator[np.ndarray]]) -> np.ndarray:
        """The first n rows, memory-mapped; `decode(start, stop)` yields those not there yet."""
        if self.count < n:
            self.folder.mkdir(parents=True, exist_ok=True)
            with Lock(self.folder / "lock"):
                done = self.count  # another process may have decoded while we waited
                if done < n:
                    self._append(done, n, decode)
        # copy-on-write: nobody's accident reaches the file
        return np.memmap(self.folder / "rows.u8", np.uint8, mode="c", shape=(n, *self.shape))

    def _append(
        self, done: int, n: int, decode: Callable[[int, int], Iterator[np.ndarray]]
    ) -> None:
        path = self.folder / "rows.u8"
        path.touch()
        with path.open("r+b") as file:
            file.seek(done * int(np.prod(self.shape)))
            for row in decode(done, n):
                file.write(np.ascontiguousarray(row).tobytes())
            file.flush()
        write_text(self.folder / "state.json", json.dumps({"count": n, "of": self.identity}))
