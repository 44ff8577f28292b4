"""NIfTI volumes: loaded once, scaled to grey levels, cached in memory up to a limit."""

import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import nibabel
import numpy as np
from nibabel.arrayproxy import ArrayProxy

from datamodules.errors import BadFileError, reading
from datamodules.formats.gray_levels import PERCENTILES
from datamodules.formats.orientation import Layout, axis_codes
from datamodules.formats.packed import open_packed

LARGEST = 2**28  # voxels: 512 x 512 x 1024; a brain has 9 million
MOST = 2**30  # bytes of a volume in memory
KINDS = {348: nibabel.Nifti1Image, 540: nibabel.Nifti2Image}  # by the size of their header


def load_volume(path: Path) -> np.ndarray:
    """A 3-D volume as stored: (X, Y, slices), integers stay integers.

    Only the first image of a 4-D series is read; the others stay on disk.
    """
    with reading(path, "is not a complete NIfTI volume"), open_packed(path) as file:
        header = _header(path, file)
        slope, intercept = header.get_slope_inter()
        layout = (
            _checked_shape(path, header),
            header.get_data_dtype(),
            header.get_data_offset(),
            1.0 if slope is None else slope,
            0.0 if intercept is None else intercept,
        )
        return np.asanyarray(ArrayProxy(file, layout, mmap=False))


def volume_layout(path: Path) -> Layout:
    """Shape and orientation of a volume, from its header alone."""
    with reading(path, "is not a complete NIfTI volume"), open_packed(path) as file:
        header = _header(path, file)
        is_float = header.get_data_dtype().kind == "f"
        shape = _checked_shape(path, header)
        volumes = math.prod(header.get_data_shape()[3:])
        return Layout(shape, axis_codes(header), is_float, volumes)


def _checked_shape(path: Path, header: nibabel.Nifti1Header) -> tuple[int, int, int]:
    """Shape in the header, if it is a valid volume of numbers; of a series its first volume."""
    shape, kind = header.get_data_shape(), header.get_data_dtype()
    size = " x ".join(str(side) for side in shape[:3])
    if len(shape) not in (3, 4):
        raise BadFileError(path, f"has {len(shape)} dimensions, not 3 or 4.")
    if min(shape) < 1:
        raise BadFileError(path, f"claims {size} voxels, which is not a volume.")
    if kind.kind not in "iuf" or kind.itemsize > 8:
        name = header.get_value_label("datatype")
        raise BadFileError(path, f"has {name} voxels; one number per voxel is needed.")
    if math.prod(shape[:3]) > LARGEST:
        raise BadFileError(path, f"claims {size} voxels, more than {LARGEST:,}.")
    is_scaled = header.get_slope_inter() not in ((None, None), (1.0, 0.0))
    needed = math.prod(shape[:3]) * (8 if is_scaled else kind.itemsize)
    if needed > MOST:
        raise BadFileError(path, f"claims {size} voxels, {needed:,} bytes; at most {MOST:,}.")
    return shape[0], shape[1], shape[2]


def _header(path: Path, file: IO[bytes]) -> nibabel.Nifti1Header:
    """Read by the class that matches the file's first number: `nibabel.load` would try others."""
    start = file.read(4)
    sizes = {int.from_bytes(start, "little"), int.from_bytes(start, "big")} & set(KINDS)
    if not sizes:
        raise BadFileError(path, "is not a NIfTI volume.")
    file.seek(0)
    return KINDS[sizes.pop()].header_class.from_fileobj(file)


def gray_volume(volume: np.ndarray) -> np.ndarray:
    """The volume in 0..255 between its 0.1 and 99.9 percentiles, clipped.

    >>> gray_volume(np.arange(1001).reshape(7, 11, 13)).max()
    np.uint8(255)
    """
    volume = np.nan_to_num(volume.astype(np.float32), copy=False)
    bottom, top = np.percentile(volume, PERCENTILES)
    scale = 255 / (top - bottom) if top > bottom else 0.0
    gray = np.empty(volume.shape, np.uint8)
    for part, target in zip(volume, gray, strict=True):  # a part at a time, to save memory
        target[...] = ((part - bottom) * scale).clip(0, 255)
    return gray


@dataclass
class VolumeMemory:
    """Slices of compressed volumes, which can only be unpacked whole.

    Images are read in any order; without this cache each would unpack its volume again (0.3 s at
    240 x 240 x 155).
    """

    # of grey slices in memory; the least recently used volume is dropped first
    megabytes: int = 500
    # from the values of a volume and its path to 0..255
    to_gray: Callable[[np.ndarray, Path], np.ndarray] = lambda volume, _: gray_volume(volume)
    is_turned: bool = False  # to L P S by the header (see `Layout`), instead of as stored

    def __post_init__(self) -> None:
        self.volumes: OrderedDict[Path, np.ndarray] = OrderedDict()

    def gray_slice(self, path: Path, k: int) -> np.ndarray:
        """Slice k along the third axis, (rows, columns) uint8, rows along the second axis."""
        if path in self.volumes:
            self.volumes.move_to_end(path)
        else:
            volume = self.to_gray(load_volume(path), path)
            if self.is_turned:
                volume = volume_layout(path).turned(volume)
            self.volumes[path] = np.ascontiguousarray(volume.transpose(2, 1, 0))
            most = self.megabytes * 1_000_000
            while len(self.volumes) > 1 and sum(v.nbytes for v in self.volumes.values()) > most:
                self.volumes.popitem(last=False)
        volume = self.volumes[path]
        if not 0 <= k < len(volume):
            raise BadFileError(path, f"has {len(volume)} slices and no slice {k}.")
        return volume[k]
