"""Open DICOM files: with or without preamble, deflated up to a limit."""

import io
import math
import zlib
from collections.abc import Sequence
from pathlib import Path

import pydicom
from pydicom.dataset import FileMetaDataset
from pydicom.filereader import _read_file_meta_info, read_dataset, read_preamble
from pydicom.uid import (
    DeflatedExplicitVRLittleEndian,
    ExplicitVRBigEndian,
    ExplicitVRLittleEndian,
    ImplicitVRLittleEndian,
)

from records.regular_file import check_regular

SYNTAXES = {  # (implicit value representation, little endian)
    (True, True): ImplicitVRLittleEndian,
    (False, True): ExplicitVRLittleEndian,
    (False, False): ExplicitVRBigEndian,
}
MOST_INFLATED = 2**28  # bytes; a frame of 10 million pixels takes 20 million
BESIDE_PIXELS = 2**22  # bytes; headers, icons and curves have some 10,000
PIXELS = 0x7FE00008  # the first tag of pixels
DEFERRED = 2**20  # values longer than this stay in the file until they are read


def open_dicom(path: Path, tags: Sequence[str] | None = None) -> pydicom.Dataset:
    """The data set of a file, or only some of its tags, without pixels.

    pydicom inflates a whole deflated data set, 6 GB from 3 MB; here inflating stops at the size of
    its image, and at `MOST_INFLATED`. A broken file can raise anything.
    """
    if (meta := _deflated(path)) is not None:
        return _inflated(path, meta)
    if tags is not None:
        return pydicom.dcmread(path, stop_before_pixels=True, specific_tags=list(tags))
    data = pydicom.dcmread(path, force=True, defer_size=DEFERRED)
    if "TransferSyntaxUID" not in data.file_meta:  # no preamble: as pydicom parsed it
        implicit, little = data.original_encoding
        data.file_meta.TransferSyntaxUID = SYNTAXES[bool(implicit), bool(little)]
    return data


def has_dicom_mark(path: Path) -> bool:
    """Whether a regular file has the mark of DICOM, `DICM` after 128 bytes, whatever its name."""
    try:
        check_regular(path)
        with path.open("rb") as file:
            return file.read(132)[128:] == b"DICM"
    except OSError:  # decode() reports a file that cannot be opened
        return False


def _deflated(path: Path) -> tuple[FileMetaDataset, int] | None:
    """The header of a deflated data set and the data's offset; None for any other file."""
    with Path(path).open("rb") as file:
        read_preamble(file, force=True)
        meta = FileMetaDataset(_read_file_meta_info(file))
        is_deflated = meta.get("TransferSyntaxUID") == DeflatedExplicitVRLittleEndian
        return (meta, file.tell()) if is_deflated else None


def _inflated(path: Path, found: tuple[FileMetaDataset, int]) -> pydicom.Dataset:
    meta, start = found
    with Path(path).open("rb") as file:
        file.seek(start)
        packed = file.read()
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    plain = unpacker.decompress(packed, BESIDE_PIXELS)
    header = read_dataset(io.BytesIO(plain), False, True, stop_when=_is_pixels)
    most = frame_bytes(header) * int(header.get("NumberOfFrames") or 1) + BESIDE_PIXELS
    most = min(most, MOST_INFLATED) - len(plain)
    if unpacker.unconsumed_tail and most > 0:
        plain += unpacker.decompress(unpacker.unconsumed_tail, most)
    if unpacker.unconsumed_tail:
        raise ValueError(f"inflates to more than {len(plain):,} bytes, which its image can need")
    data = read_dataset(io.BytesIO(plain), is_implicit_VR=False, is_little_endian=True)
    meta.TransferSyntaxUID = ExplicitVRLittleEndian
    data.file_meta = meta
    return data


def _is_pixels(tag: int, _: str | None, __: int) -> bool:
    return tag >= PIXELS


def frame_bytes(header: pydicom.Dataset) -> int:
    """Size of one unpacked frame."""
    sides = ("Rows", "Columns", "SamplesPerPixel", "BitsAllocated")
    return math.prod(int(header.get(name) or 1) for name in sides) // 8 + 1
