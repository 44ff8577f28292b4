"""Pictures are read as viewers show them."""

import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from datamodules.errors import BadFileError
from datamodules.formats.shown_picture import Traits, picture_traits, shown_picture

DRAWN = np.zeros((6, 8), np.uint8)  # alpha of a black drawing
DRAWN[:, :3] = 255
SHOWN = 255 - DRAWN
GRAY = np.random.default_rng(0).integers(0, 256, (6, 8), np.uint8)


def rgba(path):
    Image.fromarray(np.stack([0 * DRAWN] * 3 + [DRAWN], axis=-1)).save(path)


def gray_and_alpha(path):
    Image.fromarray(np.stack([0 * DRAWN, DRAWN], axis=-1)).save(path)


def palette(path):
    image = Image.fromarray(DRAWN // 255, "P")
    image.putpalette([0] * 768)
    image.save(path, transparency=0)


def one_colour(path):
    Image.fromarray(SHOWN // 5).save(path, transparency=51)


@pytest.mark.parametrize("write", [rgba, gray_and_alpha, palette, one_colour])
def test_transparent_parts_are_white(tmp_path, write):
    path = tmp_path / "x.png"
    write(path)
    image = shown_picture(path)
    assert image.ndim == (3 if write in (rgba, palette) else 2)
    assert (image.reshape(6, 8, -1) == SHOWN[..., None]).all()
    assert picture_traits(path) == Traits(is_transparent=True)


def test_opaque_colours_stay(tmp_path):
    colour = np.random.default_rng(0).integers(0, 256, (6, 8, 4), np.uint8)
    colour[..., 3] = 255
    Image.fromarray(colour).save(tmp_path / "x.png")
    assert (shown_picture(tmp_path / "x.png") == colour[..., :3]).all()


@pytest.mark.parametrize("ending", ["png", "tif", "webp"])
def test_a_photograph_on_its_side_is_turned(tmp_path, ending):
    exif = Image.Exif()
    exif[0x0112] = 6
    path = tmp_path / f"x.{ending}"
    Image.fromarray(np.stack([GRAY] * 3, -1)).save(path, exif=exif, lossless=True)
    assert (shown_picture(path)[..., 0] == np.rot90(GRAY, -1)).all()
    # a TIFF has always been turned, by Pillow
    assert picture_traits(path) == Traits(is_turned=ending != "tif")


def test_broken_exif_data_are_ignored(tmp_path):
    Image.fromarray(GRAY).save(tmp_path / "x.png", exif=b"Exif\0\0II*\0\xff\xff\xff\xff")
    assert (shown_picture(tmp_path / "x.png") == GRAY).all()
    assert picture_traits(tmp_path / "x.png") == Traits()


def test_further_pages_are_seen(tmp_path):
    pages = [Image.fromarray(GRAY + k) for k in range(3)]
    pages[0].save(tmp_path / "x.tif", save_all=True, append_images=pages[1:])
    assert (shown_picture(tmp_path / "x.tif") == GRAY).all()
    assert picture_traits(tmp_path / "x.tif") == Traits(has_pages=True)


def deep_png(path, kind, values, *more):
    def chunk(name, data):
        return (
            struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        )

    header = struct.pack(">IIBBBBB", values.shape[1], values.shape[0], 16, kind, 0, 0, 0)
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in values)
    chunks = [(b"IHDR", header), *more, (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*one) for one in chunks))


@pytest.mark.parametrize(("kind", "bands"), [(2, 3), (4, 2), (6, 4)])
def test_sixteen_bit_colour_is_refused(tmp_path, kind, bands):
    deep_png(tmp_path / "x.png", kind, np.full((4, 4, bands), 4000))
    with pytest.raises(BadFileError, match=r"16-bit colour\. Convert it to 8 bit, or to 16-bit"):
        shown_picture(tmp_path / "x.png")


def test_sixteen_bit_gray_is_kept_unless_it_is_transparent(tmp_path):
    deep_png(tmp_path / "x.png", 0, np.full((4, 4), 4000))
    assert (shown_picture(tmp_path / "x.png") == 4000).all()
    deep_png(tmp_path / "x.png", 0, np.full((4, 4), 4000), (b"tRNS", struct.pack(">H", 4000)))
    with pytest.raises(BadFileError, match="16-bit grey and transparency"):
        shown_picture(tmp_path / "x.png")


def test_a_bitmap_of_sixteen_bits_in_all_is_read(tmp_path):
    """Five bits of each colour."""
    head = b"BM" + struct.pack("<IHHI", 54 + 16, 0, 0, 54)
    info = struct.pack("<IiiHHIIiiII", 40, 2, 4, 1, 16, 0, 16, 0, 0, 0, 0)
    (tmp_path / "x.bmp").write_bytes(head + info + struct.pack("<8H", *[0x7FFF] * 8))
    assert (shown_picture(tmp_path / "x.bmp") == 255).all()


def test_what_is_no_picture_has_no_traits(tmp_path):
    (tmp_path / "x.png").write_text("nothing")
    assert picture_traits(tmp_path / "x.png") == Traits()
    assert picture_traits(tmp_path / "none.png") == Traits()
