"""Write pictures of stand-in data sets."""

from pathlib import Path

import numpy as np
from PIL import Image


def write_picture(path: Path, pixels: np.ndarray) -> None:
    """Write (H, W) or (H, W, 3) uint8 as PNG or JPEG, by the path's ending; folders are made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # fastest PNG compression: these are read once; each format uses its own option
    Image.fromarray(pixels).save(path, compress_level=1, quality=90)
