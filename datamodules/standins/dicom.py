"""Write small, valid DICOM files, fast.

A stand-in has thousands of slices; assembling each as a pydicom data set takes 2 ms, packing its
bytes here a fifth of that. Part 10 of the standard is short: a preamble, then elements in the
order of their tags: tag, value representation, length, value of even length.
"""

import hashlib
import struct
from functools import cache
from pathlib import Path

import numpy as np
from pydicom.datadict import dictionary_VR, tag_for_keyword
from pydicom.uid import CTImageStorage, ExplicitVRLittleEndian

LONG = ("OB", "OW")  # representations whose length takes four bytes


def uid(*parts: object) -> str:
    """A valid UID that is a function of its parts."""
    digest = hashlib.sha256("/".join(str(part) for part in parts).encode()).digest()
    return f"2.25.{int.from_bytes(digest[:15], 'big')}"


def write_dicom(path: Path, pixels: np.ndarray, **tags: object) -> None:
    """Write one image, or the frames of one, uncompressed.

    Args:
        path: the file; folders are made.
        pixels: (H, W), or (frames, H, W); uint8, uint16 or int16.
        tags: by keyword. `SOPInstanceUID` is a function of the path's last parts unless given.
    """
    bits = 8 * pixels.itemsize
    signed = pixels.dtype.kind == "i"
    data = {
        "SOPClassUID": CTImageStorage,
        "SOPInstanceUID": uid(*path.parts[-4:]),
        "SamplesPerPixel": 1,
        "PhotometricInterpretation": "MONOCHROME2",
        "Rows": pixels.shape[-2],
        "Columns": pixels.shape[-1],
        "BitsAllocated": bits,
        "BitsStored": bits,
        "HighBit": bits - 1,
        "PixelRepresentation": int(signed),
        **({"NumberOfFrames": len(pixels)} if pixels.ndim == 3 else {}),
        **tags,
        "PixelData": np.ascontiguousarray(pixels).tobytes(),
    }
    meta = {
        "FileMetaInformationVersion": b"\0\1",
        "MediaStorageSOPClassUID": data["SOPClassUID"],
        "MediaStorageSOPInstanceUID": data["SOPInstanceUID"],
        "TransferSyntaxUID": ExplicitVRLittleEndian,
        "ImplementationClassUID": "2.25.1",
    }
    about = _elements(meta, signed)
    length = _elements({"FileMetaInformationGroupLength": len(about)}, signed)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\0" * 128 + b"DICM" + length + about + _elements(data, signed))


def _elements(values: dict[str, object], signed: bool) -> bytes:
    known = sorted((*_known(keyword, signed), value) for keyword, value in values.items())
    return b"".join(_element(tag, kind, value) for tag, kind, value in known)


def _element(tag: int, kind: str, value: object) -> bytes:
    if isinstance(value, bytes):
        content = value
    elif kind in ("US", "SS", "UL"):
        content = struct.pack({"US": "<H", "SS": "<h", "UL": "<I"}[kind], value)
    else:
        several = value if isinstance(value, list | tuple) else [value]
        content = "\\".join(str(part) for part in several).encode("ascii")
    if len(content) % 2:
        content += b"\0" if kind in ("UI", *LONG) else b" "
    head = struct.pack("<HH2s", tag >> 16, tag & 0xFFFF, kind.encode())
    long = kind in LONG
    size = struct.pack("<HI", 0, len(content)) if long else struct.pack("<H", len(content))
    return head + size + content


@cache
def _known(keyword: str, signed: bool) -> tuple[int, str]:
    """Tag and value representation of a keyword."""
    tag = tag_for_keyword(keyword)
    if tag is None:
        raise ValueError(f"`{keyword}` is no DICOM keyword.")
    kind = dictionary_VR(tag)
    choice = {"US or SS": "SS" if signed else "US", "OB or OW": "OW"}
    return tag, choice.get(kind, kind)
