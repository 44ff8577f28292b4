import struct

import numpy as np
import pytest
from PIL import Image

from datamodules.errors import BadFileError
from datamodules.formats.shown_picture import Traits, picture_traits, shown_picture
from datamodules.formats.tiff_bands import tiff_bands

SHORT, LONG = 3, 4


def write_bands(path, bands):
    """An uncompressed TIFF of 8 x 8 pixels of 16 bit, as of a satellite."""
    pixels = np.zeros((8, 8, bands), "<u2").tobytes()
    bits = 8 + len(pixels)
    tags = [
        (256, LONG, 1, 8), (257, LONG, 1, 8), (258, SHORT, bands, bits), (259, SHORT, 1, 1),
        (262, SHORT, 1, 1), (273, LONG, 1, 8), (277, SHORT, 1, bands), (278, LONG, 1, 8),
        (279, LONG, 1, len(pixels)), (284, SHORT, 1, 1),
    ]  # fmt: skip
    ifd = bits + 2 * bands
    path.write_bytes(
        struct.pack("<2sHI", b"II", 42, ifd)
        + pixels
        + struct.pack(f"<{bands}H", *[16] * bands)
        + struct.pack("<H", len(tags))
        + b"".join(struct.pack("<HHII", *tag) for tag in tags)
        + bytes(4)
    )


def test_many_bands_are_named_once_in_the_error(tmp_path, capfd):
    write_bands(tmp_path / "a.tif", 13)
    assert tiff_bands(tmp_path / "a.tif") == 13
    with pytest.raises(BadFileError, match=r"a\.tif: has 13 bands, more than 4\. Write three of"):
        shown_picture(tmp_path / "a.tif")
    assert picture_traits(tmp_path / "a.tif") == Traits()
    assert "samples" not in capfd.readouterr().err


def test_other_files_have_none(tmp_path):
    Image.fromarray(np.zeros((4, 4, 3), np.uint8)).save(tmp_path / "a.tif")
    assert tiff_bands(tmp_path / "a.tif") == 3
    (tmp_path / "b.tif").write_bytes(b"II*\0 and no more")
    (tmp_path / "c.tif").write_bytes(b"text")
    for name in ("b.tif", "c.tif"):
        assert tiff_bands(tmp_path / name) == 0
        with pytest.raises(BadFileError, match="is not a complete picture"):
            shown_picture(tmp_path / name)
