"""Decode DICOM images: physical units, padding, inverted grey scales, frames, broken files."""

import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pydicom
from pydicom.encaps import get_frame
from pydicom.pixels.processing import apply_color_lut, apply_modality_lut
from pydicom.pixels.utils import pixel_array
from pydicom.uid import (
    JPEG2000TransferSyntaxes,
    JPEGLSTransferSyntaxes,
    JPEGTransferSyntaxes,
    RLELossless,
)

from datamodules.errors import BadFileError, reading
from datamodules.formats.codestream import stream_size
from datamodules.formats.dicom_file import frame_bytes, open_dicom
from datamodules.formats.gray_levels import GrayRule

# odd value representations and excess bytes are common and harmless; an error is still raised
warnings.filterwarnings("ignore", module=r"pydicom\.")
LARGEST = 2**26  # pixels per frame; a radiograph has 10 million, a header can claim 4,295
STREAMS = {*JPEGTransferSyntaxes, *JPEGLSTransferSyntaxes, *JPEG2000TransferSyntaxes}


@dataclass(frozen=True)
class Decoded:
    """One frame in physical units: (H, W), or (H, W, 3) of bytes if colour was asked for."""

    values: np.ndarray  # float32: stored value x slope + intercept (HU for CT)
    stored: np.ndarray  # as in the file
    padding: np.ndarray  # bool: outside the scanned field, not measured
    inverted: bool  # MONOCHROME1: high values are dark
    full: tuple[float, float] | None = None  # range of the stored bits, in physical units

    def levels(self, rule: GrayRule, name: object) -> np.ndarray:
        """Grey levels by the rule of a set; padding is black.

        >>> ct = np.array([[-2000.0, 0.0, 40.0, 900.0]], np.float32)
        >>> image = Decoded(ct, ct, ct == -2000, inverted=True)
        >>> image.levels(GrayRule(window=(40, 80)), "a.dcm").tolist()
        [[0, 255, 127, 0]]
        """
        is_bytes = self.full == (0.0, 255.0)  # eight bits without a slope: like any picture
        values = self.values.astype(np.uint8) if is_bytes else self.values
        gray = rule.levels(values, name, self.full, ~self.padding)
        return np.where(
            self.padding | np.isnan(self.values), 0, 255 - gray if self.inverted else gray
        ).astype(np.uint8)

    def window(self, centre: float, width: float) -> np.ndarray:
        """Grey levels of [centre - width/2, centre + width/2]; padding is black.

        >>> air = np.array([[-2000.0, 0.0, 40.0, 900.0]], np.float32)
        >>> Decoded(air, air, air == -2000, inverted=False).window(40, 80).tolist()
        [[0, 0, 128, 255]]
        """
        if width <= 0:
            raise ValueError(f"width={width}: a window needs a positive width, such as 80 HU.")
        return self._gray(centre - width / 2, centre + width / 2)

    def full_range(self) -> np.ndarray:
        """Grey levels from the lowest to the highest measured value."""
        measured = self.values[~self.padding]
        if measured.size == 0:
            return np.zeros(self.values.shape, np.uint8)
        return self._gray(float(measured.min()), float(measured.max()))

    def by_maximum(self, wrap: bool = False) -> np.ndarray:
        """Stored value x 255 / maximum, as in the published code of Konz & Mazurowski.

        With `wrap` negative values wrap around in uint8, as in that code (a padding of -2000
        becomes grey 86 when the maximum is 3,000); otherwise they are black.
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


def decode(path: Path, frame: int = 0, keep_colour: bool = False) -> Decoded:
    """Decode one frame of a DICOM file, with or without the `DICM` preamble.

    Colour becomes grey, unless it is of bytes and `keep_colour` is set.
    """
    with reading(path, "is not a readable DICOM file"):
        return _decode(path, frame, keep_colour)


def _decode(path: Path, frame: int, keep_colour: bool) -> Decoded:
    header = open_dicom(path)
    rows, columns = int(header.get("Rows") or 0), int(header.get("Columns") or 0)
    if rows * columns == 0:
        raise BadFileError(path, "contains no image.")
    if rows * columns > LARGEST:
        raise BadFileError(path, f"claims {rows} x {columns} pixels, more than {LARGEST:,}.")
    frames = int(header.get("NumberOfFrames") or 1)
    if not 0 <= frame < frames:
        raise BadFileError(path, f"has {frames} frames, no frame {frame}.")
    _check_stream(path, header, frame, frames)
    try:
        # only one of many frames is read, unless the file had to be inflated
        is_in_file = frames > 1 and isinstance(header, pydicom.FileDataset)
        stored = pixel_array(path if is_in_file else header, index=frame)
    except Exception as error:  # pixel decoders can raise anything
        reason = f"its pixels cannot be decoded ({(str(error).splitlines() or ['?'])[0]})."
        no_decoder = isinstance(error, RuntimeError | NotImplementedError)
        way_out = ("Run `pip install pylibjpeg[all]`.",) if no_decoder else ()
        raise BadFileError(path, reason, *way_out) from error
    with reading(path, "its pixels cannot be interpreted"):
        return _interpreted(header, stored, keep_colour)


def _interpreted(header: pydicom.Dataset, stored: np.ndarray, keep_colour: bool) -> Decoded:
    kind = header.get("PhotometricInterpretation")
    if kind == "PALETTE COLOR":
        stored = apply_color_lut(stored, header)
        stored = (stored >> 8).astype(np.uint8) if stored.dtype == np.uint16 else stored
    if stored.ndim == 3 and not (keep_colour and stored.dtype == np.uint8):
        # RGB ultrasound screens are grey except for their annotations
        gray = np.empty(stored.shape[:2], stored.dtype)
        for row, target in zip(stored, gray, strict=True):  # at once: 24 bytes per pixel
            target[:] = np.round(row @ np.array([0.299, 0.587, 0.114]))
        stored = gray
    bits = 8 * stored.itemsize if kind == "PALETTE COLOR" else int(header.get("BitsStored") or 8)
    full = None
    if stored.dtype.kind in "iu":
        lowest = -(2 ** (bits - 1)) if stored.dtype.kind == "i" else 0
        ends = apply_modality_lut(np.array([lowest, lowest + 2**bits - 1]), header)
        full = (float(ends.min()), float(ends.max()))
    return Decoded(
        values=np.asarray(apply_modality_lut(stored, header), dtype=np.float32),
        stored=stored,
        padding=_padding(header, stored),
        inverted=kind == "MONOCHROME1",
        full=full,
    )


def _check_stream(path: Path, header: pydicom.Dataset, frame: int, frames: int) -> None:
    """Check that a compressed frame has the header's size: decoders allocate the frame's own."""
    syntax = header.file_meta.TransferSyntaxUID
    if syntax not in STREAMS and syntax != RLELossless:
        return
    element = header.get_item("PixelData")
    if element is None:
        raise BadFileError(path, "contains no pixels.")
    with Path(path).open("rb") as file:
        if element.value is None:  # left in the file
            file.seek(element.value_tell)  # type: ignore[attr-defined]  # deferred, so raw
        source = file if element.value is None else element.value
        stream = get_frame(source, frame, number_of_frames=frames)
    size, expected = stream_size(stream), (int(header.Rows), int(header.Columns))
    if syntax == RLELossless and len(stream) > 2 * frame_bytes(header) + 1024:
        raise BadFileError(path, f"packs {len(stream):,} bytes, more than its pixels have.")
    if syntax in STREAMS and size != expected:
        found = "no image" if size is None else f"{size[0]} x {size[1]} pixels"
        raise BadFileError(path, f"claims {expected[0]} x {expected[1]} pixels but packs {found}.")


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
