"""NIfTI volumes: loaded once, scaled to gray levels, kept while memory allows."""

import math
from collections import OrderedDict
from pathlib import Path

import nibabel
import numpy as np

from datamodules.errors import BadFileError, reading

LARGEST = 2**30  # voxels; a brain has 9 million, a whole-body CT 500 million


def load_volume(path: Path) -> np.ndarray:
    """A 3-D volume as stored: (X, Y, slices), integers kept as integers.

    Only the first image of a 4-D series is read; the others stay on disk.

    Raises:
        BadFileError: missing, truncated, or no volume.
    """
    with reading(path, "is no whole NIfTI volume"):
        image = nibabel.load(path)
        if len(image.shape) not in (3, 4):
            raise BadFileError(path, f"has {len(image.shape)} dimensions, not 3 or 4.")
        if math.prod(image.shape[:3]) > LARGEST:
            size = " x ".join(str(side) for side in image.shape[:3])
            raise BadFileError(path, f"claims {size} voxels, more than {LARGEST:,}.")
        return np.asanyarray(image.dataobj if len(image.shape) == 3 else image.dataobj[..., 0])


def gray_volume(volume: np.ndarray, low: float = 0.1, high: float = 99.9) -> np.ndarray:
    """The volume in 0..255 between two of its percentiles, clipped.

    >>> gray_volume(np.arange(1001).reshape(7, 11, 13)).max()
    np.uint8(255)
    """
    volume = np.nan_to_num(volume.astype(np.float32), copy=False)
    bottom, top = np.percentile(volume, (low, high))
    scale = 255 / (top - bottom) if top > bottom else 0.0
    return ((volume - bottom) * scale).clip(0, 255).astype(np.uint8)


class VolumeMemory:
    """Slices of compressed volumes, which can only be unpacked whole.

    Training images come in random order; without a memory each would unpack its volume anew
    (0.3 s each at 240 x 240 x 155).

    Args:
        megabytes: of gray slices kept; the volume used longest ago is dropped first.
    """

    def __init__(self, megabytes: int = 500) -> None:
        self.limit = megabytes * 1_000_000
        self.kept: OrderedDict[Path, np.ndarray] = OrderedDict()

    def gray_slice(self, path: Path, k: int) -> np.ndarray:
        """Axial slice k as (rows, columns) uint8, rows running from front to back."""
        if path in self.kept:
            self.kept.move_to_end(path)
        else:
            volume = gray_volume(load_volume(path))
            self.kept[path] = np.ascontiguousarray(volume.transpose(2, 1, 0))
            while len(self.kept) > 1 and sum(v.nbytes for v in self.kept.values()) > self.limit:
                self.kept.popitem(last=False)
        volume = self.kept[path]
        if not 0 <= k < len(volume):
            raise BadFileError(path, f"has {len(volume)} slices, no slice {k}.")
        return volume[k]
