"""Numeric arrays of MATLAB 5 files, unpacked up to a limit."""

import io
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.io import loadmat

LARGEST = 2**29  # bytes unpacked; SVHN's training images take 225 million
HEADER, COMPRESSED, MATRIX = 128, 15, 14
NUMBERS = range(6, 16)  # classes double to uint64; cells and structures can claim any length


def read_variable(path: Path, name: str) -> np.ndarray | None:
    """One numeric array; None where the file has none of that name.

    scipy unpacks as many bytes as a header claims: 4 GB from 4 MB. So the file is unpacked here,
    up to the limit, and scipy reads the result.
    """
    with path.open("rb") as file:
        header = file.read(HEADER)
        if header[124:128] != b"\x00\x01IM":
            raise ValueError("is not a little-endian MATLAB 5 file")
        left = LARGEST
        for element in _elements(file):
            plain = _unpacked(element, left)
            left -= len(plain)
            if not _is_numbers(plain):
                continue
            found = loadmat(io.BytesIO(header + plain), variable_names=[name])
            if name in found:
                return np.asarray(found[name])
    return None


def _elements(file: io.BufferedReader) -> Iterator[tuple[int, bytes]]:
    """Type and content of each variable."""
    while len(tag := file.read(8)) == 8:
        kind, size = struct.unpack("<II", tag)
        content = file.read(min(size, LARGEST))
        if len(content) < size:
            raise ValueError("ends early, or claims a variable larger than any")
        yield kind, content


def _unpacked(element: tuple[int, bytes], most: int) -> bytes:
    kind, content = element
    if kind != COMPRESSED:
        return struct.pack("<II", kind, len(content)) + content
    unpacker = zlib.decompressobj()
    tag = unpacker.decompress(content, 8)
    size = int.from_bytes(tag[4:], "little")  # of the variable, from its own tag
    if size > most:
        raise ValueError(f"unpacks to {size:,} bytes, more than {LARGEST:,}")
    return tag + (unpacker.decompress(unpacker.unconsumed_tail, size) if size else b"")


def _is_numbers(plain: bytes) -> bool:
    return len(plain) > 16 and plain[:4] == struct.pack("<I", MATRIX) and plain[16] in NUMBERS
