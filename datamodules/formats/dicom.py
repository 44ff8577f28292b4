"""Decode DICOM images: physical units, padding, inverted gray scales, frames, broken files."""

import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pydicom
from pydicom.pixels import apply_rescale, pixel_array
from pydicom.uid import ExplicitVRBigEndian, ExplicitVRLittleEndian, ImplicitVRLittleEndian

from datamodules.errors import BadFileError, reading

# odd value representations and excess bytes are common and harmless; an error is still raised
warnings.filterwarnings("ignore", module=r"pydicom\.")
SYNTAXES = {  # (implicit value representation, little endian)
    (True, True): ImplicitVRLittleEndian,
    (False, True): ExplicitVRLittleEndian,
    (False, False): ExplicitVRBigEndian,
}
LARGEST = 100_000_000  # pixels per frame; a radiograph has 10 million, a header can claim 4,295


@dataclass(frozen=True)
class Decoded:
    """One frame in physical units."""

    values: np.ndarray  # (H, W) float32: stored value x slope + intercept (HU for CT)
    stored: np.ndarray  # (H, W) as in the file
    padding: np.ndarray  # (H, W) bool: outside the scanned field, not measured
    inverted: bool  # MONOCHROME1: high values are dark

    def window(self, centre: float, width: float) -> np.ndarray:
        """Gray levels of [centre - width/2, centre + width/2]; padding is black.

        >>> air = np.array([[-2000.0, 0.0, 40.0, 900.0]], np.float32)
        >>> Decoded(air, air, air == -2000, inverted=False).window(40, 80).tolist()
        [[0, 0, 128, 255]]
        """
        if width <= 0:
            raise ValueError(f"width={width}: a window needs a positive width, such as 80 HU.")
        low, high = centre - width / 2, centre + width / 2
        return self._gray(low, high)

    def full_range(self) -> np.ndarray:
        """Gray levels from the lowest to the highest measured value."""
        measured = self.values[~self.padding]
        if measured.size == 0:
            return np.zeros(self.values.shape, np.uint8)
        return self._gray(float(measured.min()), float(measured.max()))

    def by_maximum(self, wrap: bool = False) -> np.ndarray:
        """Stored value x 255 / maximum, as the published code of Konz & Mazurowski has it.

        Args:
            wrap: let negative values wrap around in uint8 as they do there (a padding of -2000
                becomes gray 86 when the maximum is 3,000); otherwise they are black.
        """
        stored = self.stored.astype(np.float64)
        if not wrap:
            stored[self.padding] = 0
        top = stored.max()
        if top <= 0:
            return np.zeros(stored.shape, np.uint8)
        gray = np.trunc(stored * 255 / top).astype(np.int64)  # in this order the maximum is 255
        gray = gray % 256 if wrap else gray.clip(0, 255)
        if self.inverted:
            gray = 255 - gray
        return np.where(self.padding & (not wrap), 0, gray).astype(np.uint8)

    def _gray(self, low: float, high: float) -> np.ndarray:
        scale = 255 / (high - low) if high > low else 0.0
        gray = ((self.values - low) * scale).clip(0, 255)
        if self.inverted:
            gray = 255 - gray
        return np.where(self.padding, 0, np.round(gray)).astype(np.uint8)


def decode(path: Path, frame: int = 0) -> Decoded:
    """Decode one frame of a gray DICOM file.

    Args:
        path: the file, with or without the `DICM` preamble.
        frame: of a multi-frame file; single-frame files have frame 0.

    Raises:
        BadFileError: not DICOM, truncated, compressed in a way no installed decoder knows, not a
            gray image, absurdly large, or without such a frame.
    """
    with reading(path, "is not a readable DICOM file"):
        return _decode(path, frame)


def _decode(path: Path, frame: int) -> Decoded:
    header = _read(path)
    rows, columns = int(header.get("Rows") or 0), int(header.get("Columns") or 0)
    if rows * columns == 0:
        raise BadFileError(path, "holds no image.")
    if rows * columns > LARGEST:
        raise BadFileError(path, f"claims {rows} x {columns} pixels, more than {LARGEST:,}.")
    frames = int(header.get("NumberOfFrames") or 1)
    if not 0 <= frame < frames:
        raise BadFileError(path, f"has {frames} frames, no frame {frame}.")
    try:
        # a file of many frames is not read for the sake of one
        stored = pixel_array(path if frames > 1 else header, index=frame)
    except (RuntimeError, NotImplementedError) as error:
        raise BadFileError(
            path, _undecodable(error), "Run `pip install pylibjpeg[all]`."
        ) from error
    except Exception as error:  # what its many forms of pixels raise
        raise BadFileError(path, _undecodable(error)) from error
    if stored.ndim == 3:
        # RGB ultrasound screens are gray but for their annotations
        stored = np.round(stored @ np.array([0.299, 0.587, 0.114])).astype(np.uint8)
    return Decoded(
        values=np.asarray(apply_rescale(stored, header), dtype=np.float32),
        stored=stored,
        padding=_padding(header, stored),
        inverted=header.get("PhotometricInterpretation") == "MONOCHROME1",
    )


def _read(path: Path) -> pydicom.Dataset:
    header = pydicom.dcmread(path, force=True, defer_size=2**20)
    if "TransferSyntaxUID" not in header.file_meta:  # no preamble: as it was found to parse
        header.file_meta.TransferSyntaxUID = SYNTAXES[header.original_encoding]
    return header


def _undecodable(error: Exception) -> str:
    return f"its pixels cannot be decoded ({(str(error).splitlines() or ['?'])[0]})."


def _padding(header: pydicom.Dataset, stored: np.ndarray) -> np.ndarray:
    """Pixels at PixelPaddingValue, or up to PixelPaddingRangeLimit."""
    value = header.get("PixelPaddingValue")
    if value is None or not isinstance(value, int):
        return np.zeros(stored.shape, bool)
    if header.get("PixelRepresentation") == 1 and value > 32767:
        value -= 65536  # written as unsigned by some scanners
    limit = header.get("PixelPaddingRangeLimit")
    limit = limit if isinstance(limit, int) else value
    return (stored >= min(value, limit)) & (stored <= max(value, limit))
