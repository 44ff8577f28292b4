"""Small files that claim, or unpack to, more than any image, table or archive needs."""

import gzip
import io
import pickle
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import nibabel
import numpy as np
import pandas as pd
import pydicom
from PIL import Image
from pydicom.dataset import FileDataset, FileMetaDataset
from pydicom.encaps import encapsulate
from pydicom.uid import (
    JPEG2000,
    DeflatedExplicitVRLittleEndian,
    ExplicitVRLittleEndian,
    JPEGBaseline8Bit,
    RLELossless,
)

MEGABYTE = 2**20
BIG = 300 * MEGABYTE  # what a bomb unpacks to


def gz(*parts: bytes) -> bytes:
    """A gzip file of these parts and many zeros."""
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", compresslevel=1) as file:
        for part in parts:
            file.write(part)
        for _ in range(BIG // MEGABYTE):
            file.write(bytes(MEGABYTE))
    return buffer.getvalue()


def archive(**members: bytes) -> bytes:
    """A zip file; `.` in a name is written `__`."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        for name, content in members.items():
            file.writestr(name.replace("__", "."), content)
    return buffer.getvalue()


def npy(shape: tuple[int, ...], content: int = 0) -> bytes:
    """An array that claims a shape, and so many zeros."""
    buffer = io.BytesIO()
    header = {"descr": "|u1", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(buffer, header)
    return buffer.getvalue() + bytes(content)


def nifti(shape: tuple[int, ...] = (4, 4, 4), offset: int = 352, extension: int = 0) -> bytes:
    """A header, with an extension that claims so many bytes."""
    header = nibabel.Nifti1Header()
    header.set_data_shape(shape)
    header["vox_offset"], header["magic"] = offset, b"n+1"
    marks = struct.pack("<4sii", b"\1\0\0\0" if extension else bytes(4), extension, 4)
    return bytes(header.binaryblock) + marks


def dicom(syntax: str, pixels: bytes, size: int = 8) -> Callable[[], bytes]:
    """A grey image of 8 x 8 pixels around a stream of its own size."""

    def make() -> bytes:
        meta = FileMetaDataset()
        meta.TransferSyntaxUID = syntax
        meta.MediaStorageSOPClassUID = pydicom.uid.SecondaryCaptureImageStorage
        meta.MediaStorageSOPInstanceUID = "1.2.3"
        data = FileDataset("x", {}, file_meta=meta, preamble=bytes(128))
        data.Rows = data.Columns = size
        data.SamplesPerPixel, data.PixelRepresentation = 1, 0
        data.BitsAllocated = data.BitsStored = 8
        data.HighBit, data.PhotometricInterpretation = 7, "MONOCHROME2"
        data.PixelData = encapsulate([pixels])
        data["PixelData"].is_undefined_length = True
        data["PixelData"].VR = "OB"
        buffer = io.BytesIO()
        data.save_as(buffer)
        return buffer.getvalue()

    return make


def deflated() -> bytes:
    """A small image in whose deflated data set 300 MB of zeros follow."""
    plain = dicom(ExplicitVRLittleEndian, bytes(64))
    meta = FileMetaDataset()
    meta.TransferSyntaxUID = DeflatedExplicitVRLittleEndian
    data = pydicom.Dataset()
    data.Rows = data.Columns = data.BitsAllocated = 8
    data.PatientID = "a"
    buffer = pydicom.filebase.DicomBytesIO()
    buffer.is_little_endian, buffer.is_implicit_VR = True, False
    pydicom.filewriter.write_dataset(buffer, data)
    body = buffer.getvalue() + b"\xe0\x7f\x10\x00OB\0\0" + struct.pack("<I", BIG)
    start = plain()[:132]
    head = io.BytesIO()
    pydicom.filewriter.write_file_meta_info(head, meta, enforce_standard=False)
    packer = zlib.compressobj(1, wbits=-15)
    parts = [packer.compress(body), *(packer.compress(bytes(MEGABYTE)) for _ in range(300))]
    return start + head.getvalue() + b"".join([*parts, packer.flush()])


def jpeg(form: str) -> bytes:
    """A picture of 8 x 8 pixels whose stream claims 60,000 x 60,000."""
    buffer = io.BytesIO()
    Image.fromarray(np.zeros((8, 8), np.uint8)).save(buffer, form)
    content = bytearray(buffer.getvalue())
    if form == "JPEG":
        place = content.index(b"\xff\xc0")
        content[place + 5 : place + 9] = struct.pack(">2H", 60_000, 60_000)
    else:
        place = content.index(b"\xff\x4f\xff\x51")
        content[place + 8 : place + 16] = struct.pack(">2I", 60_000, 60_000)
    return bytes(content)


def run_lengths() -> bytes:
    """3 MB of run lengths that unpack to 192 MB, for an image of 64 bytes."""
    return struct.pack("<16I", 1, 64, *[0] * 14) + b"\x81\x00" * (3 * MEGABYTE // 2)


def tar(kind: str) -> bytes:
    """An archive with a header of 300 MB, or with thousands of files."""
    if kind == "header":
        info = tarfile.TarInfo("x")
        info.type, info.size = tarfile.XHDTYPE, BIG
        return gz(info.tobuf(tarfile.PAX_FORMAT))
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as file:
        for k in range(3000):
            file.addfile(tarfile.TarInfo(f"set/{k}"))
    return buffer.getvalue()


def nested() -> bytes:
    """Lists that hold the one before ten times: 10^9 numbers in a hundred operations."""
    inner: object = [1] * 10
    for _ in range(8):
        inner = [inner] * 10
    content = {b"labels": inner, b"data": np.zeros((2, 3072), np.uint8)}
    return pickle.dumps(content, protocol=2)


def tuple_key() -> bytes:
    """A key of tuples that hold the one before twice: its hash takes 2^60 steps."""
    steps = b"".join(b"q" + bytes([k]) + b"h" + bytes([k]) + b"\x86" for k in range(60))
    return b"\x80\x02}(K\x01" + steps + b"K\x01u."


def memo() -> bytes:
    """Asks for a memory of 2^32 places."""
    return b"\x80\x02K\x01r\xff\xff\xff\xff."


def huge_array() -> bytes:
    """Asks numpy for an array of 2^36 bytes."""
    return b"\x80\x02cnumpy\nndarray\n\x8a\x05\0\0\0\0\x10\x85\x85R."


def mat(claimed: int) -> bytes:
    """A packed variable that claims so many bytes and holds 300 MB."""
    header = b"MATLAB 5.0".ljust(124) + b"\x00\x01IM"
    packer = zlib.compressobj(1)
    parts = [packer.compress(struct.pack("<II", 14, claimed))]
    parts += [packer.compress(bytes(MEGABYTE)) for _ in range(BIG // MEGABYTE)]
    body = b"".join([*parts, packer.flush()])
    return header + struct.pack("<II", 15, len(body)) + body


def excel(sheet: bytes, strings: bytes = b"") -> bytes:
    """A workbook with this sheet."""
    buffer = io.BytesIO()
    pd.DataFrame({"id": ["a"]}).to_excel(buffer, index=False)
    out = io.BytesIO()
    with zipfile.ZipFile(buffer) as good, zipfile.ZipFile(out, "w", 8, compresslevel=1) as bad:
        for member in good.infolist():
            content = good.read(member)
            if member.filename == "xl/worksheets/sheet1.xml" and sheet:
                content = sheet
            bad.writestr(member.filename, content)
        bad.writestr("xl/more.xml", strings)
    return out.getvalue()


def png(width: int, height: int) -> bytes:
    """A header that claims a size."""
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunk = b"IHDR" + head
    return (
        b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))
        + struct.pack(">I", 0) + b"IDAT" + struct.pack(">I", zlib.crc32(b"IDAT"))
    )  # fmt: skip


SHEET = (
    b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    b'<row r="1"><c r="A1" t="inlineStr"><is><t>id</t></is></c></row>%s</sheetData></worksheet>'
)
FAR_ROW = SHEET % b'<row r="99999999999"><c><v>1</v></c></row>'
JPEG_FILES = {"JPEG": JPEGBaseline8Bit, "JPEG2000": JPEG2000}
RLE = RLELossless


def write(path: Path, content: bytes) -> Path:
    """The bomb where a reader looks for it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path
