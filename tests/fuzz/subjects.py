"""Every reader of files, with a small good file of each format."""

import gzip
import io
import json
import pickle
import shutil
import struct
import tarfile
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nibabel
import numpy as np
import pandas as pd
import torch
from nibabel.testing import data_path
from PIL import Image
from pydicom.data import get_testdata_file
from scipy.io import savemat

from analysis.runs.records import read_runs
from analysis.runs.series import arrays
from callbacks.checkpoint import AtomicCheckpointIO
from datamodules.cache import ImageCache
from datamodules.directions import _load
from datamodules.download import unpack
from datamodules.errors import DataError
from datamodules.formats.dicom import decode
from datamodules.formats.dicom_headers import read_headers
from datamodules.formats.nifti import load_volume
from datamodules.formats.picture import read_picture
from datamodules.formats.tables import read_table
from datamodules.readers.cifar10 import _binary
from datamodules.readers.cifar_batch import read_batch
from datamodules.readers.idx import read_idx
from datamodules.readers.image_folder import ImageFolder
from datamodules.readers.npz import Npz
from datamodules.readers.svhn import Svhn
from records.archive import ArchivedRun, write_archive
from records.checkpoints import find_checkpoint, is_whole
from records.curves import Curves
from records.run_folder import RunFolder

VOLUMES = Path(str(data_path))
PIXELS = np.random.default_rng(0).integers(0, 256, (4, 8, 8), np.uint8)


@dataclass(frozen=True)
class Subject:
    """A reader: the name of its file, a good one, and how it is read."""

    file: str
    content: Callable[[], bytes]
    read: Callable[[Path], Any]
    own: tuple[type[Exception], ...] = (DataError,)
    is_good: bool = True  # nothing here writes SAS tables: there the mutations are of noise
    beside: dict[str, Callable[[], bytes]] = field(default_factory=dict)  # good files, by path


def _idx() -> bytes:
    return b"\0\0\x08\x03" + struct.pack(">III", 4, 8, 8) + PIXELS.tobytes()


def _saved(save: Callable[[io.BytesIO], Any]) -> bytes:
    buffer = io.BytesIO()
    save(buffer)
    return buffer.getvalue()


def _picture(form: str, mode: str = "L") -> Callable[[], bytes]:
    image = Image.fromarray(PIXELS[0]).convert(mode)
    return lambda: _saved(lambda file: image.save(file, form))


def _volume(packed: bool) -> bytes:
    data = nibabel.Nifti1Image(PIXELS.astype(np.int16), np.eye(4)).to_bytes()
    return gzip.compress(data) if packed else data


def _mat() -> bytes:
    x = np.zeros((32, 32, 3, 2), np.uint8)
    y = np.array([[1], [2]], np.uint8)
    return _saved(lambda file: savemat(file, {"X": x, "y": y}, do_compression=True))


def _tar() -> bytes:
    def save(file: io.BytesIO) -> None:
        with tarfile.open(fileobj=file, mode="w:gz") as archive:
            for name in ("set/a", "set/b"):
                info = tarfile.TarInfo(name)
                info.size = 3
                archive.addfile(info, io.BytesIO(b"abc"))

    return _saved(save)


def _unpack(path: Path) -> None:
    shutil.rmtree(unpack(path, "set", limit=2**20))


def _npz(path: Path) -> None:
    reader = Npz(path, scale="minmax")
    for i in range(min(8, len(reader.listing()))):
        reader.read(i)


def _svhn(path: Path) -> None:
    reader = Svhn(path.parent, download=False)
    reader.listing()
    reader.read(0)


def _record() -> bytes:
    settings = {"model": {"name": "mlp"}, "data": {"name": "digits"}, "n": 8, "seed": 0}
    record = {"key": "k", "status": "done", "settings": settings, "scalars": {"test/loss": 0.5}}
    return json.dumps(record).encode()


def _archive() -> bytes:
    curves = Curves(np.arange(9), np.arange(9), np.array(["test/loss"] * 9, object), np.ones(9))
    run = ArchivedRun("a/k", json.loads(_record()), curves, {("a", 1): np.ones((2, 3))})
    with tempfile.TemporaryDirectory() as folder:
        write_archive(Path(folder, "a.parquet"), [run])
        return Path(folder, "a.parquet").read_bytes()


def _read_record(path: Path) -> None:
    RunFolder(path.parent).read()
    read_runs([path.parent])


def _checkpoint(path: Path) -> None:
    find_checkpoint(path.parent)
    if is_whole(path):
        AtomicCheckpointIO().load_checkpoint(path)


def _index() -> bytes:
    parts = {"source": np.arange(4), "checksum": np.arange(4, dtype=np.uint32)}
    return _saved(lambda file: np.savez(file, **parts, bad=np.zeros(0, np.int64)))


def _cache(path: Path) -> None:
    cache = ImageCache(path.parent, {}, (1, 8, 8))
    cache.folder = path.parent
    cache._index()


def _real(name: str) -> Callable[[], bytes]:
    return lambda: Path(str(get_testdata_file(name, download=False))).read_bytes()


def _excel() -> bytes:
    table = pd.DataFrame({"id": ["a"], "label": [1]})
    return _saved(lambda file: table.to_excel(file, index=False))


def _sas() -> bytes:
    magic = bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")
    return magic + bytes(range(256)) * 8


def _table(path: Path) -> None:
    read_table(path, ["id"], optional=["label"])


SUBJECTS = {
    "idx": Subject("images-idx3-ubyte", _idx, read_idx),
    "idx packed": Subject("images-idx3-ubyte.gz", lambda: gzip.compress(_idx()), read_idx),
    "cifar pickle": Subject(
        "data_batch_1",
        lambda: pickle.dumps(
            {b"labels": [1, 2], b"data": np.zeros((2, 3072), np.uint8)}, protocol=2
        ),
        lambda path: read_batch(path, b"labels", 10),
    ),
    "cifar binary": Subject("data_batch_1.bin", lambda: bytes(2 * 3073), _binary),
    "npz": Subject(
        "mine.npz", lambda: _saved(lambda f: np.savez(f, x=PIXELS, y=np.arange(4) % 2)), _npz
    ),
    "direction": Subject(
        "axis.npz", lambda: _saved(lambda f: np.savez(f, a=np.eye(3))), lambda p: _load(p, "a")
    ),
    "mat": Subject("train_32x32.mat", _mat, _svhn),
    "png": Subject("a.png", _picture("PNG"), read_picture),
    "png 16 bit": Subject("a.png", _picture("PNG", "I;16"), read_picture),
    "jpeg": Subject("a.jpg", _picture("JPEG", "RGB"), lambda p: read_picture(p, colour=None)),
    "tiff": Subject("a.tif", _picture("TIFF"), read_picture),
    "bmp": Subject("a.bmp", _picture("BMP", "RGB"), read_picture),
    "webp": Subject("a.webp", _picture("WEBP", "RGB"), read_picture),
    "nifti": Subject("a.nii", lambda: _volume(False), load_volume),
    "nifti packed": Subject("a.nii.gz", lambda: _volume(True), load_volume),
    "nifti 2": Subject(
        "a.nii.gz",
        lambda: (VOLUMES / "example_nifti2.nii.gz").read_bytes(),
        load_volume,
    ),
    "nifti in a folder": Subject(
        "a.nii",
        lambda: _volume(False),
        lambda p: ImageFolder(p.parent.parent).listing(),
        beside={"../other/b.nii": lambda: _volume(False)},
    ),
    "dicom": Subject("a.dcm", _real("MR_small.dcm"), decode),
    "dicom packed": Subject("a.dcm", _real("MR_small_RLE.dcm"), decode),
    "dicom deflated": Subject("a.dcm", _real("image_dfl.dcm"), decode),
    "dicom jpeg": Subject("a.dcm", _real("SC_rgb_jpeg_dcmtk.dcm"), decode),
    "dicom jpeg 2000": Subject("a.dcm", _real("MR_small_jp2klossless.dcm"), decode),
    "dicom header": Subject(
        "a.dcm", _real("MR_small.dcm"), lambda p: read_headers([p], ["PatientID", "Rows"])
    ),
    "csv": Subject("a.csv", lambda: b"id,label\na,1\nb,2\n", _table),
    "excel": Subject("a.xlsx", _excel, _table),
    "sas": Subject("a.sas7bdat", _sas, _table, is_good=False),
    "tar": Subject("a.tar.gz", _tar, _unpack),
    "record": Subject("record.json", _record, _read_record, (ValueError,)),
    "metrics": Subject(
        "metrics.csv",
        lambda: b"epoch,step,name,value\n1,2,test/loss,0.5\n",
        lambda p: read_runs([p.parent]),
        beside={"record.json": _record},
    ),
    "archive": Subject("a.parquet", _archive, lambda p: read_runs([p]), (ValueError,)),
    "array": Subject(
        "test_a@1.npz",
        lambda: _saved(lambda f: np.savez_compressed(f, a=np.arange(9.0))),
        lambda p: arrays(p.parent.parent, "test/a"),
        (ValueError,),
    ),
    "cache index": Subject("index.npz", _index, _cache),
    "checkpoint": Subject(
        "last.ckpt",
        lambda: _saved(lambda f: torch.save({"state_dict": {"w": torch.ones(3)}, "rows": []}, f)),
        _checkpoint,
        (ValueError,),
    ),
}
