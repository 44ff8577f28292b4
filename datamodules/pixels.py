"""From an image of any size to the array that is stored."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from datamodules.resize import per_image_max, resize


@dataclass(frozen=True, kw_only=True)
class Pixels:
    """Size and values of decoded images."""

    size: int = 224  # pixels per side that images are resized to
    channels: Literal[1, 3] = 1  # 1 (grey) or 3 (colour)
    antialias: bool = True  # average when shrinking
    per_image_max: bool = False  # stretch every image so that its brightest value is 255
    # `stop` at an unreadable image, or `skip` to the next of its class, counted
    on_bad_file: Literal["stop", "skip"] = "stop"

    def prepare(self, image: np.ndarray) -> np.ndarray:
        """Stretched and resized as set."""
        image = per_image_max(image) if self.per_image_max else image
        return resize(image, self.size, self.channels, self.antialias)
