"""How the axes of a NIfTI volume lie in the body, and the same order of axes for all volumes.

The order is L P S: slices run from feet to head, rows from front to back, columns from the
patient's right to left, as in axial DICOM images and as viewers show both.
"""

from dataclasses import dataclass

import nibabel
import numpy as np
from nibabel.orientations import (
    apply_orientation,
    axcodes2ornt,
    io_orientation,
    ornt2axcodes,
    ornt_transform,
)

ORDER = ("L", "P", "S")


@dataclass(frozen=True)
class Layout:
    """Shape and directions of a volume as it is stored."""

    shape: tuple[int, int, int]
    codes: tuple[str, str, str] | None  # where each axis points, `R A S`; None: the header says not
    has_floats: bool = False  # voxels that can be NaN
    volumes: int = 1  # in the file, of which only the first is read

    @property
    def slices(self) -> int:
        """Number of axial slices; of an unknown orientation those along the third axis."""
        if self.codes is None:
            return self.shape[2]
        return self.shape[next(k for k in range(3) if self.codes[k] in "SI")]

    def turned(self, volume: np.ndarray) -> np.ndarray:
        """The volume in the order L P S: a view; one of unknown orientation as it is.

        >>> sagittal = np.arange(24).reshape(2, 3, 4)  # its slices run from left to right
        >>> Layout((2, 3, 4), ("P", "S", "R")).turned(sagittal).shape
        (4, 2, 3)
        """
        if self.codes is None:
            return volume
        turn = ornt_transform(axcodes2ornt(self.codes), axcodes2ornt(ORDER))
        turned: np.ndarray = apply_orientation(volume, turn)
        return turned


def axis_codes(header: nibabel.Nifti1Header) -> tuple[str, str, str] | None:
    """The body direction nearest to each axis; None if the header has no valid orientation."""
    if not int(header["sform_code"]) and not int(header["qform_code"]):
        return None
    try:
        codes = ornt2axcodes(io_orientation(header.get_best_affine()))
    except (ValueError, np.linalg.LinAlgError):  # no quaternion, not a number
        return None
    return None if None in codes or len(codes) != 3 else (codes[0], codes[1], codes[2])
