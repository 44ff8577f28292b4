"""A picture as viewers show it: transparent parts on white, upright by its EXIF orientation."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import ExifTags, Image, ImageFile, ImageOps, UnidentifiedImageError

from datamodules.errors import BadFileError, reading
from datamodules.formats.picture import FORMATS, check_size, pixels_of
from datamodules.formats.tiff_bands import MOST, tiff_bands

SHOWN = (*FORMATS, "GIF")  # GIF has a palette; a published set with one would be a wrong file
PAGED = ("TIFF", "PNG", "WEBP", "GIF")  # formats of several pages or frames


@dataclass(frozen=True)
class Traits:
    """What the header of a picture says about the way it is shown."""

    is_transparent: bool = False
    is_turned: bool = False  # by its EXIF orientation
    has_pages: bool = False  # more than the one that is read


def shown_picture(path: Path) -> np.ndarray:
    """Bytes, (H, W) or in colour (H, W, 3), or 16-bit and float grey values.

    Raises:
        BadFileError: see `read_picture`; or 16-bit colour, which Pillow would cut to 8 bit.
    """
    with reading(path, "is not a complete picture"), _opened(path) as image:
        check_size(path, image)
        _check_depth(path, image)
        return pixels_of(_on_white(path, _upright(image)), None)


def _opened(path: Path) -> ImageFile.ImageFile:
    try:
        return Image.open(path, formats=SHOWN)
    except UnidentifiedImageError as error:
        if (bands := tiff_bands(path)) <= MOST:
            raise
        reason = f"has {bands} bands, more than {MOST}."
        way_out = "Write three of them, or one, to files of their own."
        raise BadFileError(path, reason, way_out) from error


def picture_traits(path: Path) -> Traits:
    """From the header alone; none if it cannot be opened, which reading the file will report."""
    try:
        with reading(path, "is not a picture"), Image.open(path, formats=SHOWN) as image:
            return Traits(
                image.has_transparency_data,
                image.format != "TIFF" and _orientation(image) in range(2, 9),
                image.format in PAGED and getattr(image, "n_frames", 1) > 1,
            )
    except BadFileError:
        return Traits()


def _check_depth(path: Path, image: ImageFile.ImageFile) -> None:
    """Refuse 16-bit colour, of which Pillow keeps the upper byte: no rule of the set applied."""
    # `BGR;16` of BMP has 16 bits for all three colours together
    is_colour = image.mode[0] not in "IF" and image.format != "BMP"
    if is_colour and any(";16" in str(tile[3]) for tile in image.tile):
        raise BadFileError(path, "has 16-bit colour.", "Convert it to 8 bit, or to 16-bit grey.")


def _upright(image: Image.Image) -> Image.Image:
    image.load()  # turns a TIFF
    try:
        return ImageOps.exif_transpose(image)
    except Exception:  # broken EXIF data can raise anything; viewers ignore them
        return image


def _orientation(image: Image.Image) -> int:
    try:
        return int(image.getexif().get(ExifTags.Base.Orientation, 1))
    except Exception:  # as above
        return 1


def _on_white(path: Path, image: Image.Image) -> Image.Image:
    if not image.has_transparency_data:
        return image
    if image.mode[0] in "IF":
        raise BadFileError(path, "has 16-bit grey and transparency.", "Save it without.")
    white = Image.new("RGBA", image.size, "white")
    white.alpha_composite(image.convert("RGBA"))
    return white.convert("L" if image.mode in ("L", "LA", "La", "1") else "RGB")
