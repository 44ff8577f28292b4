"""A digest inside a Parquet file, to detect damage before the file is parsed.

pyarrow ends the process on some damaged footers. So the SHA-256 of everything else is put between
the last page and the footer, which readers of Parquet ignore.
"""

import hashlib
import struct

MAGIC = b"PAR1"  # first and last bytes of a file; the size of the footer is before the last
SIZE = hashlib.sha256().digest_size


def sealed(content: bytes) -> bytes:
    """A Parquet file with its digest inside."""
    footer = _footer(content)
    return content[:footer] + hashlib.sha256(content).digest() + content[footer:]


def check_seal(content: bytes) -> None:
    """Raise ValueError unless the digest is right.

    >>> file = sealed(b"PAR1 pages footer" + struct.pack("<i", 6) + b"PAR1")
    >>> check_seal(file)
    >>> check_seal(file.replace(b"pages", b"rages"))
    Traceback (most recent call last):
    ValueError: its digest differs: it is damaged, or was not written as an archive
    """
    footer = _footer(content)
    inside = content[footer - SIZE : footer]
    whole = hashlib.sha256(content[: footer - SIZE] + content[footer:]).digest()
    if inside != whole:
        raise ValueError("its digest differs: it is damaged, or was not written as an archive")


def footer_of(content: bytes) -> bytes:
    """The footer: schema, metadata, positions of the columns."""
    return content[_footer(content) : -8]


def _footer(content: bytes) -> int:
    """Where the footer starts; ValueError if it is not a complete Parquet file."""
    if len(content) < 12 or content[:4] != MAGIC or content[-4:] != MAGIC:
        raise ValueError("not a complete Parquet file")
    start = len(content) - 8 - struct.unpack("<i", content[-8:-4])[0]
    if not 4 <= start <= len(content) - 8:
        raise ValueError("not a complete Parquet file")
    return start
