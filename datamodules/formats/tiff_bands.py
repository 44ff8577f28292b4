"""How many bands a TIFF file has: Pillow reads up to four, satellites have more."""

import logging
from pathlib import Path

from PIL import TiffImagePlugin

MOST = 4  # that Pillow reads
SAMPLES_PER_PIXEL = 277  # a tag of TIFF

# it prints what it raises as well, once for every file
logging.getLogger(TiffImagePlugin.__name__).setLevel(logging.CRITICAL)


def tiff_bands(path: Path) -> int:
    """The number in the header; 0 if the file is no TIFF or does not say."""
    try:
        with path.open("rb") as file:
            tags = TiffImagePlugin.ImageFileDirectory_v2(file.read(8))
            file.seek(tags.next)
            tags.load(file)
            return int(tags.get(SAMPLES_PER_PIXEL, 0))
    except Exception:  # a damaged file can raise anything
        return 0
