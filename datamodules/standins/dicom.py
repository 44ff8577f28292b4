"""Write small, valid DICOM files."""

import hashlib
from pathlib import Path

import numpy as np
from pydicom.datadict import tag_for_keyword
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.uid import CTImageStorage, ExplicitVRLittleEndian


def uid(*parts: object) -> str:
    """A valid UID that is a function of its parts."""
    digest = hashlib.sha256("/".join(str(part) for part in parts).encode()).digest()
    return f"2.25.{int.from_bytes(digest[:15], 'big')}"


def write_dicom(path: Path, pixels: np.ndarray, **tags: object) -> None:
    """Write one image (H, W), or frames (frames, H, W), of uint8, uint16 or int16, uncompressed.

    Tags are named by keyword. `SOPInstanceUID` is a function of the path's last parts unless given.
    """
    bits = 8 * pixels.itemsize
    values = {
        "SOPClassUID": CTImageStorage,
        "SOPInstanceUID": uid(*path.parts[-4:]),
        "SamplesPerPixel": 1,
        "PhotometricInterpretation": "MONOCHROME2",
        "Rows": pixels.shape[-2],
        "Columns": pixels.shape[-1],
        "BitsAllocated": bits,
        "BitsStored": bits,
        "HighBit": bits - 1,
        "PixelRepresentation": int(pixels.dtype.kind == "i"),
        **({"NumberOfFrames": len(pixels)} if pixels.ndim == 3 else {}),
        **tags,
    }
    data = Dataset()
    for keyword, value in values.items():
        if tag_for_keyword(keyword) is None:
            raise ValueError(f"`{keyword}` is no DICOM keyword.")
        setattr(data, keyword, value)
    data.add_new("PixelData", "OW", np.ascontiguousarray(pixels).tobytes())
    data.file_meta = FileMetaDataset()
    data.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
    path.parent.mkdir(parents=True, exist_ok=True)
    data.save_as(path, enforce_file_format=True)
