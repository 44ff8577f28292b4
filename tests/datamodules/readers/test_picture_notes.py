import numpy as np
from PIL import Image

from datamodules.readers import picture_notes
from datamodules.readers.image_folder import ImageFolder

COLOUR = np.random.default_rng(0).integers(0, 256, (6, 8, 4), np.uint8)


def test_what_is_shown_otherwise_than_stored_is_noted_and_is_a_rule(tmp_path, monkeypatch):
    for name in "ab":
        (tmp_path / name).mkdir()
        Image.fromarray(COLOUR[..., :3]).save(tmp_path / name / "plain.png")
    assert ImageFolder(tmp_path).listing().notes == ImageFolder(tmp_path).listing().rules == ()
    exif = Image.Exif()
    exif[0x0112] = 3
    Image.fromarray(COLOUR).save(tmp_path / "a" / "alpha.png")
    Image.fromarray(COLOUR[..., :3]).save(tmp_path / "a" / "turned.jpg", exif=exif)
    page = Image.fromarray(COLOUR[..., 0])
    page.save(tmp_path / "b" / "pages.tif", save_all=True, append_images=[page])
    listing = ImageFolder(tmp_path).listing()
    assert listing.notes == (
        "1 picture with transparency: shown on white",
        "1 picture turned upright, as the EXIF data say",
        "1 file of several pages: only the first is read",
    )
    assert listing.rules == ("transparency on white", "upright by EXIF")
    monkeypatch.setattr(picture_notes, "MOST", 1)
    assert ImageFolder(tmp_path).listing().notes == (
        "1 picture with transparency among the first 1: shown on white",
    )
