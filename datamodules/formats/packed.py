"""Gzip files, read in bounded steps so that a bad header cannot exhaust the memory."""

import gzip
from pathlib import Path
from typing import IO, Any

LARGEST_READ = 2**24  # bytes at once; headers, extensions and long names are far smaller
CHUNK = 2**20


class BoundedGzip(gzip.GzipFile):
    """A gzip file that unpacks at most `LARGEST_READ` bytes per call of `read`.

    Libraries read as many bytes as a header claims, and gzip packs 1,000 zeros into one byte.
    Pixels are read with `readinto`, into arrays whose size was checked.
    """

    def read(self, size: int | None = -1) -> bytes:
        """Like `read` of any file."""
        if size is None or not 0 <= size <= LARGEST_READ:
            raise OSError(f"its header claims more than {LARGEST_READ:,} bytes at once")
        return super().read(size)

    def readinto(self, buffer: Any) -> int:
        """Like `readinto` of any file, without a second copy of the data."""
        target, done = memoryview(buffer).cast("B"), 0
        while done < len(target) and (got := super().read(min(CHUNK, len(target) - done))):
            target[done : done + len(got)] = got
            done += len(got)
        return done


def open_packed(path: Path) -> IO[bytes]:
    """The unpacked bytes of a regular file that may be packed with gzip."""
    with path.open("rb") as file:
        is_packed = file.read(2) == b"\x1f\x8b"
    return BoundedGzip(path) if is_packed else path.open("rb")  # type: ignore[return-value]
