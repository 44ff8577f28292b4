"""From any pixel type to uint8, by an explicit rule."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from datamodules.errors import DataError, DeepPixelsError
from records.counted import counted

Scale = Literal["ask", "type", "max", "minmax", "percentile"]
PERCENTILES = 0.1, 99.9  # so that a few bright pixels do not darken the others
FEW_LEVELS = 32  # of 256, left by `type` to an image: 12 bits in 16 have 16


@dataclass(frozen=True)
class GrayRule:
    """How pixels become 0..255: one rule for all files of a set, whatever their depth.

    >>> GrayRule(window=(40, 80)).levels(np.array([-5.0, 40.0, 900.0])).tolist()
    [0, 128, 255]
    >>> GrayRule("minmax").levels(np.array([5, 10], np.uint8)).tolist()
    [0, 255]
    """

    # `type` maps the range of the type to 0..255 (0..65535 or -32768..32767 for 16 bit, 0..1 for
    # floats; not for 32 bits and more, whose range no image uses), `max` 0 and each image's
    # maximum, `minmax` each image's minimum and maximum, `percentile` its 0.1 and 99.9
    # percentiles; `ask` accepts bytes only
    scale: Scale = "ask"
    # centre and width of the values that become 0..255, instead of `scale`
    window: Sequence[float] | None = None

    def __post_init__(self) -> None:
        if self.window is None:
            return
        numbers = [value for value in self.window if isinstance(value, int | float)]
        if len(numbers) != 2 or len(self.window) != 2 or not 0 < numbers[1] < float("inf"):
            raise DataError(
                f"data.reader.window={list(self.window)}: give [centre,width] with a positive "
                "width, such as [40,400] for soft tissue in CT."
            )

    def levels(
        self,
        values: np.ndarray,
        name: object = "this image",
        full: tuple[float, float] | None = None,
        measured: np.ndarray | None = None,
    ) -> np.ndarray:
        """The pixels as uint8.

        `name` is of the image in errors, `full` the lowest and highest possible value, if not those
        of the type, and `measured` a mask of valid values (None: all). NaN is padding: black, and
        not part of minimum, maximum and percentiles; infinite values are not part of them either.

        Raises:
            DataError: other than uint8 and `ask`; or floats outside 0..1 and `type`.
        """
        if values.dtype == bool:
            values = values.astype(np.uint8) * 255
        if values.dtype == np.uint8 and self.window is None and self.scale in ("ask", "type"):
            return values
        if values.dtype.kind == "f":
            finite = np.isfinite(values)
            measured = finite if measured is None else measured & finite
        seen = values if measured is None else values[measured]
        if seen.size == 0:
            return np.zeros(values.shape, np.uint8)
        if self.scale == "ask" and self.window is None:
            raise _question(values, seen, name, full)
        low, high = self._limits(seen, name, full)
        if high <= low:
            return np.zeros(values.shape, np.uint8)
        half = 0.5 if self.window is not None else 0.0  # a window rounds, as viewers of DICOM do
        gray = np.empty(values.shape, np.uint8)
        for k in range(len(values)):  # row by row, to save memory
            wide = values[k].astype(np.float64)
            # in this order the maximum becomes 255, not 254
            gray[k] = np.nan_to_num(((wide - low) * 255 / (high - low) + half).clip(0, 255))
        return gray

    def _limits(
        self, values: np.ndarray, name: object, full: tuple[float, float] | None
    ) -> tuple[float, float]:
        low, high = float(values.min()), float(values.max())
        if self.window is not None:
            centre, width = self.window
            return centre - width / 2, centre + width / 2
        if self.scale == "percentile":
            low, high = (float(value) for value in np.percentile(values, PERCENTILES))
        elif self.scale == "max":
            low = 0.0
        elif self.scale == "type" and full is not None:
            return full
        elif self.scale == "type" and values.dtype.kind != "f":
            return _range_of_type(values.dtype, name)
        elif self.scale == "type":
            if low < 0 or high > 1:
                raise DataError(
                    f"{name} has floats from {low:g} to {high:g}, but data.reader.scale=type "
                    "expects 0..1; use max, minmax, percentile or a window."
                )
            return 0.0, 1.0
        return low, high


def _question(
    values: np.ndarray, seen: np.ndarray, name: object, full: tuple[float, float] | None
) -> DeepPixelsError:
    """What to choose for pixels that are no bytes: only ways that work for these values."""
    low, high = float(seen.min()), float(seen.max())
    is_float, is_wide = values.dtype.kind == "f", values.dtype.itemsize >= 4
    is_share = is_float and low >= 0 and high <= 1
    unfit = {
        "max": low < 0,  # it makes negative pixels black
        "type": low < 0 or (full is None and (is_float or is_wide)),
    }
    ways = "|".join(way for way in get_args(Scale)[1:] if not unfit.get(way))
    how = "type for floats in 0..1 as they are" if is_share else ways
    missing = int(np.isnan(values).sum()) if is_float else 0
    nan = f" and {counted(missing, 'NaN pixel')}, which will be black" if missing else ""
    message = (
        f"{name} has {values.dtype} pixels from {low:g} to {high:g}{nan}; say how they become "
        f"0..255: data.reader.scale={how}, or data.reader.window={_window(is_float, low, high)}."
    )
    takes_type = is_share or not unfit["type"]
    if takes_type and low < high:  # a blank slice shows nothing
        left = _levels_of_type(values.dtype, low, high, full)
        if left < FEW_LEVELS:
            message += f" `type` leaves this image about {left} of 256 levels."
    return DeepPixelsError(message, name, str(values.dtype), (low, high), takes_type)


def _window(is_float: bool, low: float, high: float) -> str:
    """A window that keeps floats in a usual range as they are, else the form of one."""
    if is_float and low >= 0 and 1 < high <= 255:
        return "[127.5,255] for 0..255 as they are"
    if is_float and -1 <= low < 0 and high <= 1:
        return "[0,2] for -1..1 as they are"
    return "[centre,width]"


def _levels_of_type(
    kind: np.dtype, low: float, high: float, full: tuple[float, float] | None
) -> int:
    """How many of 256 levels `type` leaves between two values."""
    if full is None and kind.kind == "f":
        full = 0.0, 1.0
    first, last = full or _range(kind)
    return int((high - low) * 255 / (last - first)) + 1


def _range_of_type(kind: np.dtype[np.integer], name: object) -> tuple[float, float]:
    if kind.itemsize >= 4:
        raise DataError(
            f"{name} has {kind} pixels, and no image uses the whole range of {8 * kind.itemsize} "
            "bits, so data.reader.scale=type would be black; use max, minmax, percentile or a "
            "window."
        )
    return _range(kind)


def _range(kind: np.dtype) -> tuple[float, float]:
    ends = np.iinfo(kind)
    return float(ends.min), float(ends.max)


def gray_levels(values: np.ndarray, scale: Scale, name: object = "this image") -> np.ndarray:
    """Pixels as uint8; uint8 pixels are unchanged for every scale.

    >>> gray_levels(np.array([[0, 4095]], np.uint16), "type").tolist()
    [[0, 15]]
    >>> gray_levels(np.array([[5, 10]], np.uint16), "minmax").tolist()
    [[0, 255]]
    """
    return values if values.dtype == np.uint8 else GrayRule(scale).levels(values, name)
