"""The image size in a JPEG, JPEG-LS or JPEG 2000 stream, read without decoding it."""

import struct

START, SCAN = 0xD8, 0xDA
NO_FRAMES = (0xC4, 0xC8, 0xCC)  # markers of tables, between those of frames
JPEG_LS = 0xF7
LONE = (0x01, *range(0xD0, 0xD9))  # markers without a length
JPEG_2000 = b"\xff\x4f\xff\x51"


def stream_size(stream: bytes) -> tuple[int, int] | None:
    """Rows and columns; None where the stream has no size.

    A decoder allocates the size in the stream, not the size in the file's header.

    >>> stream_size(bytes.fromhex("ffd8 ffc0 000b 08 0200 0100 01 011100"))
    (512, 256)
    """
    start = stream.find(JPEG_2000, 0, 2**16)
    if start >= 0 and len(stream) >= start + 24:
        right, bottom, left, top = struct.unpack(">4I", stream[start + 8 : start + 24])
        return max(0, bottom - top), max(0, right - left)
    return _jpeg_size(stream)


def _jpeg_size(stream: bytes) -> tuple[int, int] | None:
    place = 2 if stream[:2] == bytes((0xFF, START)) else len(stream)
    while place + 9 <= len(stream) and stream[place] == 0xFF:
        marker = stream[place + 1]
        if marker == 0xFF or marker in LONE:
            place += 1 if marker == 0xFF else 2
        elif marker == JPEG_LS or (0xC0 <= marker <= 0xCF and marker not in NO_FRAMES):
            rows, columns = struct.unpack(">2H", stream[place + 5 : place + 9])
            return rows, columns
        elif marker == SCAN:
            return None
        else:
            place += 2 + int.from_bytes(stream[place + 2 : place + 4], "big")
    return None
