"""Decode PNG, JPEG, TIFF, BMP and WebP: 8 and 16 bit, grey, palette and colour, up to a size."""

from pathlib import Path

import numpy as np
from PIL import Image

from datamodules.errors import BadFileError, reading
from datamodules.formats.gray_levels import gray_levels

LARGEST = 100_000_000  # pixels; a radiograph has 10 million
# Pillow detects forty formats by their first bytes, whatever the name; EPS starts Ghostscript.
FORMATS = ("PNG", "JPEG", "TIFF", "BMP", "WEBP")


def read_picture(path: Path, colour: bool = False) -> np.ndarray:
    """The picture as uint8, (H, W) or, in colour, (H, W, 3), of the pixels as they are stored.

    16-bit and float pixels are scaled so that 0 and the image's maximum become 0 and 255. A file
    that is missing, truncated, no image or suspiciously large is a BadFileError.
    """
    with reading(path, "is not a complete picture"), Image.open(path, formats=FORMATS) as image:
        check_size(path, image)
        values = pixels_of(image, colour)
    gray = gray_levels(values, "max", path)
    return np.stack([gray] * 3, axis=-1) if colour and gray.ndim == 2 else gray


def check_size(path: Path, image: Image.Image) -> None:
    """Raise BadFileError for a picture of absurd size, from its header, before decoding."""
    if image.width * image.height > LARGEST:
        size = f"{image.width} x {image.height}"
        raise BadFileError(path, f"claims {size} pixels, more than {LARGEST:,}.")


def pixels_of(image: Image.Image, colour: bool | None) -> np.ndarray:
    """Bytes, or 16-bit and float grey values; `colour=None` keeps the mode of the picture."""
    if image.mode[0] in "IF":  # 16 bit: Pillow's own conversion would clip at 255
        return _sixteen_bit(np.asarray(image))
    if colour is None:
        colour = image.mode not in ("L", "LA", "1")
    return np.asarray(image.convert("RGB" if colour else "L"))


def _sixteen_bit(values: np.ndarray) -> np.ndarray:
    """Pillow opens some 16-bit files as 32-bit integers; their type's range is still 16 bit."""
    fits = values.dtype == np.int32 and values.min() >= 0 and values.max() <= 65535
    return values.astype(np.uint16) if fits else values
