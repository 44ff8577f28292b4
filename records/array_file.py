"""NumPy files from untrusted sources, checked against a limit before unpacking.

`np.load` unpacks whatever a file contains: an archive of 4 MB can fill 4 GB. Here an array whose
header claims more than the limit is refused before it is unpacked; no more is read than claimed.
"""

import math
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, Any

import numpy as np

from records.regular_file import check_regular

MEGABYTE = 2**20
# the methods that numpy uses; `zipfile` unpacks bzip2 and LZMA without a limit
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
PLAIN = "biufcUS"  # kinds of numbers and text; objects are pickles, structures are not supported


@dataclass(frozen=True)
class Header:
    """Shape, dtype and order of the array in a `.npy` file."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    is_fortran: bool

    @property
    def nbytes(self) -> int:
        """Size of the array; at least one byte per value, because empty texts need memory too."""
        return math.prod(self.shape) * max(1, self.dtype.itemsize)


def read_header(file: IO[bytes]) -> Header:
    """Read a header of version 1.0, which numpy writes for everything but structures.

    Raises ValueError if there is no such header, or the array is of objects or structures.
    """
    if np.lib.format.read_magic(file) != (1, 0):  # 2.0 would read a header of up to 4 GB
        raise ValueError("not an array of numbers or text in version 1.0 of NumPy's format")
    shape, is_fortran, dtype = np.lib.format.read_array_header_1_0(file)
    if dtype.kind not in PLAIN:
        raise ValueError(f"holds {dtype}, which is neither numbers nor text")
    return Header(shape, dtype, is_fortran)


def read_values(file: IO[bytes], header: Header, most: int) -> np.ndarray:
    """The array after its header; ValueError if it has more than `most` bytes, or ends early."""
    if header.nbytes > most:
        raise ValueError(f"claims {header.nbytes:,} bytes, more than {most:,}")
    values = np.empty(math.prod(header.shape), header.dtype)
    target = values.view(np.uint8) if values.nbytes else values
    for start in range(0, values.nbytes, MEGABYTE):
        wanted = min(MEGABYTE, values.nbytes - start)
        got = file.read(wanted)
        if len(got) < wanted:
            raise ValueError(f"ends {values.nbytes - start - len(got):,} bytes early")
        target[start : start + wanted] = np.frombuffer(got, np.uint8)
    return values.reshape(header.shape, order="F" if header.is_fortran else "C")


class ArrayFile:
    """The arrays of one `.npz` file; ValueError if numpy would not write such a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of its arrays."""
        with self._archive() as archive:
            return tuple(n.removesuffix(".npy") for n in archive.namelist() if n.endswith(".npy"))

    def header(self, name: str) -> Header:
        """The header of one array."""
        with self.open(name) as file:
            return read_header(file)

    def read(self, name: str, most: int) -> np.ndarray:
        """One array of at most `most` bytes."""
        with self.open(name) as file:
            return read_values(file, read_header(file), most)

    def open(self, name: str) -> IO[bytes]:
        """The unpacked bytes of one array, header first; the caller closes it."""
        with self._archive() as archive:
            return archive.open(f"{name}.npy")

    @contextmanager
    def _archive(self) -> Iterator[zipfile.ZipFile]:
        check_regular(self.path)
        try:
            with zipfile.ZipFile(self.path) as archive:
                if any(member.compress_type not in METHODS for member in archive.infolist()):
                    raise ValueError("is packed in a way that NumPy does not write")
                yield archive
        except (zipfile.BadZipFile, NotImplementedError, KeyError) as error:
            raise ValueError(str(error)) from error


class RowReader:
    """Rows of an array that does not fit into memory; fast if they are read in order.

    A packed array can only be read from its beginning: an earlier row starts over. Raises
    ValueError if a row has more than `most` bytes, or the array is stored column by column.
    """

    def __init__(self, file: ArrayFile, name: str, most: int) -> None:
        self.file, self.name = file, name
        self.header = file.header(name)
        self.row = Header(self.header.shape[1:], self.header.dtype, is_fortran=False)
        if self.row.nbytes > most:
            raise ValueError(f"claims rows of {self.row.nbytes:,} bytes, more than {most:,}")
        if self.header.is_fortran and len(self.header.shape) > 1:
            raise ValueError("is stored column by column; save np.ascontiguousarray(array)")
        self._stream: IO[bytes] | None = None
        self._next = 0

    def __getitem__(self, i: int) -> np.ndarray:
        """Row i."""
        if not 0 <= i < self.header.shape[0]:
            raise IndexError(i)
        if self._stream is None or i < self._next:
            self.close()
            self._stream = self.file.open(self.name)
            read_header(self._stream)
        skipped = (i - self._next) * self.row.nbytes
        while skipped > 0 and (passed := len(self._stream.read(min(MEGABYTE, skipped)))):
            skipped -= passed
        self._next = i + 1
        return read_values(self._stream, self.row, self.row.nbytes)

    def close(self) -> None:
        """Close the file; the next row opens it again."""
        if self._stream is not None:
            self._stream.close()
        self._stream, self._next = None, 0
