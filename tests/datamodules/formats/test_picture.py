"""Pictures are decoded by a list of formats, whatever their name says."""

import numpy as np
import pytest
from PIL import EpsImagePlugin, Image

from datamodules.errors import BadFileError
from datamodules.formats.picture import FORMATS, read_picture

PIXELS = np.random.default_rng(0).integers(0, 256, (6, 5), np.uint8)


@pytest.mark.parametrize("form", [name for name in FORMATS if name != "JPEG"])
def test_each_format_is_read_whatever_the_name(tmp_path, form):
    colour = np.stack([PIXELS] * 3, axis=-1)
    Image.fromarray(colour).save(tmp_path / "x.png", form, lossless=True)
    np.testing.assert_array_equal(read_picture(tmp_path / "x.png", colour=True), colour)


def test_an_eps_file_named_png_starts_no_interpreter(tmp_path, monkeypatch):
    Image.fromarray(PIXELS).save(tmp_path / "x.png", "EPS")
    started = []
    monkeypatch.setattr(EpsImagePlugin, "Ghostscript", lambda *a, **k: started.append(a))
    with pytest.raises(BadFileError, match=r"x\.png: is not a complete picture"):
        read_picture(tmp_path / "x.png")
    assert started == []


@pytest.mark.parametrize("form", ["GIF", "PPM", "ICO", "TGA", "SGI", "PCX"])
def test_other_formats_are_refused(tmp_path, form):
    Image.fromarray(PIXELS).save(tmp_path / "x.png", form)
    with pytest.raises(BadFileError, match=r"x\.png: is not a complete picture"):
        read_picture(tmp_path / "x.png")
