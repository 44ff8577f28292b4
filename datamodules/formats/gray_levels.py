"""From any pixel type to uint8, by a rule that is named, never guessed."""

from typing import Literal, get_args

import numpy as np

from datamodules.errors import DataError

Scale = Literal["ask", "type", "max", "minmax"]


def gray_levels(values: np.ndarray, scale: Scale, name: object = "this image") -> np.ndarray:
    """Pixels as uint8; uint8 pixels stay as they are.

    Args:
        values: of any numeric type.
        scale: `type` maps the range of the type to 0..255 (0..65535 for 16 bit, 0..1 for floats),
            `max` each image's maximum to 255, `minmax` each image's minimum and maximum to 0 and
            255; `ask` refuses to choose.
        name: what to call the image in an error.

    Raises:
        DataError: other than uint8 and `ask`; or floats outside 0..1 and `type`.

    >>> gray_levels(np.array([[0, 4095]], np.uint16), "type").tolist()
    [[0, 15]]
    >>> gray_levels(np.array([[5, 10]], np.uint16), "minmax").tolist()
    [[0, 255]]
    """
    if values.dtype == np.uint8:
        return values
    if values.dtype == bool:
        return values.astype(np.uint8) * 255
    if scale == "ask":
        ways = "|".join(get_args(Scale)[1:])
        raise DataError(
            f"{name} has {values.dtype} pixels from {values.min():g} to {values.max():g}; say how "
            f"they become 0..255: data.reader.scale={ways}."
        )
    wide = np.nan_to_num(values.astype(np.float64))
    low, high = wide.min(), wide.max()
    if scale == "type":
        floats = values.dtype.kind == "f"
        low, high = (0.0, 1.0) if floats else (0.0, float(np.iinfo(values.dtype).max))
        if floats and (wide.min() < 0 or wide.max() > 1):
            raise DataError(
                f"{name} has floats from {wide.min():g} to {wide.max():g}, but data.reader.scale="
                "type expects 0..1; use max or minmax."
            )
    elif scale == "max":
        low = 0.0
    if high <= low:
        return np.zeros(values.shape, np.uint8)
    # this order: the maximum becomes 255, not 254
    return ((wide - low) * 255 / (high - low)).clip(0, 255).astype(np.uint8)
