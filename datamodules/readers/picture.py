"""Decode PNG and JPEG files: 8 and 16 bit, gray, palette and colour, with a limit on size."""

from pathlib import Path

import numpy as np
from PIL import Image, UnidentifiedImageError

from datamodules.errors import BadFileError

LARGEST = 100_000_000  # pixels; a radiograph has 10 million


def read_picture(path: Path, colour: bool = False) -> np.ndarray:
    """The picture as uint8, (H, W) or, in colour, (H, W, 3).

    Raises:
        BadFileError: missing, truncated, no image, or so large that it may be a bomb.
    """
    try:
        with Image.open(path) as image:
            if image.width * image.height > LARGEST:  # told by the header, before decoding
                size = f"{image.width} x {image.height}"
                raise BadFileError(path, f"claims {size} pixels, more than {LARGEST:,}.")
            if image.mode.startswith("I"):  # 16 bit: Pillow's own conversion would clip at 255
                wide = np.asarray(image, dtype=np.float64)
                gray = (wide * (255 / max(wide.max(), 1))).astype(np.uint8)
                return np.stack([gray] * 3, axis=-1) if colour else gray
            return np.asarray(image.convert("RGB" if colour else "L"))
    except FileNotFoundError as error:
        raise BadFileError(path, "is not there.") from error
    except Image.DecompressionBombError as error:
        raise BadFileError(path, f"is too large to be trusted ({error}).") from error
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        raise BadFileError(path, f"is no whole picture ({error}).") from error
