"""The encoding of a text file: UTF-8, UTF-16 by its mark, or that of Windows in western Europe."""

import codecs
from pathlib import Path

import numpy as np

from datamodules.errors import BadFileError

MARKS = {  # the first bytes of a file; those of UTF-32 begin like those of UTF-16
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
WINDOWS = "cp1252"
PART = 2**20  # bytes decoded at once


def text_encoding(path: Path) -> str:
    """The encoding in which the whole file can be decoded; replaced letters would join classes.

    Without a mark it is UTF-8 or else `WINDOWS`, which Excel writes and which has every letter of
    Latin-1 in the same place.

    Raises:
        BadFileError: none of them; the message names the first byte that is in neither.
    """
    marked = encoding_by_mark(path)
    names = (marked,) if marked else ("utf-8", WINDOWS)
    faults = []
    for name in names:
        fault = _fault(path, name.removesuffix("-sig"))
        if fault is None:
            return name
        faults.append(fault)
    value, place = faults[-1]
    raise BadFileError(
        path,
        f"is not text in {' or '.join(names)}: byte {place:,} is 0x{value:02x}.",
        "Save it as UTF-8 (in Excel: CSV UTF-8).",
    )


def decoded(values: np.ndarray) -> np.ndarray:
    """Text of an array of bytes, all of it in UTF-8 or else in `WINDOWS`.

    >>> decoded(np.array(["Kröte".encode("cp1252"), b"Frosch"])).tolist()
    ['Kröte', 'Frosch']

    Raises:
        UnicodeDecodeError: neither.
    """
    try:
        return np.char.decode(values, "utf-8")
    except UnicodeDecodeError:
        return np.char.decode(values, WINDOWS)


def encoding_by_mark(path: Path) -> str | None:
    """The encoding that the first bytes of a file state; None where they state none."""
    with path.open("rb") as file:
        start = file.read(4)
    return next((name for mark, name in MARKS.items() if start.startswith(mark)), None)


def _fault(path: Path, name: str) -> tuple[int, int] | None:
    """The first byte, and its place from 0, that this encoding does not have."""
    decoder, place = codecs.getincrementaldecoder(name)(), 0
    with path.open("rb") as file:
        while True:
            part = file.read(PART)
            pending = len(decoder.getstate()[0])
            try:
                decoder.decode(part, final=not part)
            except UnicodeDecodeError as error:
                return error.object[error.start], place - pending + error.start
            if not part:
                return None
            place += len(part)
