"""Write small, valid DICOM files."""

import hashlib
from pathlib import Path

import numpy as np
from pydicom.dataset import FileDataset, FileMetaDataset
from pydicom.uid import CTImageStorage, ExplicitVRLittleEndian


def uid(*parts: object) -> str:
    """A valid UID that is a function of its parts."""
    digest = hashlib.sha256("/".join(str(part) for part in parts).encode()).digest()
    return f"2.25.{int.from_bytes(digest[:15], 'big')}"


def write_dicom(path: Path, pixels: np.ndarray, **tags: object) -> None:
    """Write one image, or the frames of one, uncompressed.

    Args:
        path: the file; folders are made.
        pixels: (H, W), or (frames, H, W); uint8, uint16 or int16.
        tags: by keyword. `SOPInstanceUID` is a function of the path's last parts unless given.
    """
    instance = tags.pop("SOPInstanceUID", None) or uid(*path.parts[-4:])
    meta = FileMetaDataset()
    meta.MediaStorageSOPClassUID = CTImageStorage
    meta.MediaStorageSOPInstanceUID = instance
    meta.TransferSyntaxUID = ExplicitVRLittleEndian
    data = FileDataset(str(path), {}, file_meta=meta, preamble=b"\0" * 128)
    data.SOPClassUID = CTImageStorage
    data.SOPInstanceUID = instance
    if pixels.ndim == 3:
        data.NumberOfFrames = len(pixels)
    data.SamplesPerPixel = 1
    data.Rows, data.Columns = pixels.shape[-2:]
    data.BitsAllocated = data.BitsStored = 8 * pixels.itemsize
    data.HighBit = data.BitsStored - 1
    data.PixelRepresentation = int(pixels.dtype.kind == "i")
    data.PhotometricInterpretation = "MONOCHROME2"
    for keyword, value in tags.items():
        setattr(data, keyword, value)
    data.PixelData = np.ascontiguousarray(pixels).tobytes()
    data["PixelData"].VR = "OB" if pixels.itemsize == 1 else "OW"
    path.parent.mkdir(parents=True, exist_ok=True)
    data.save_as(path, enforce_file_format=True)
