"""Arrays of others' files: what is claimed is held to a limit before it is unpacked."""

import struct
import zipfile

import numpy as np
import pytest

from records.array_file import ArrayFile, RowReader
from tests.memory import peak_memory

MEGABYTE = 2**20


def bomb(path, claimed, content, method=zipfile.ZIP_DEFLATED, version=b"\x01\x00"):
    """An archive whose array `a` claims a shape and holds `content` zeros."""
    header = f"{{'descr': '|u1', 'fortran_order': False, 'shape': {claimed}, }}".encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    size = struct.pack("<H" if version == b"\x01\x00" else "<I", len(header))
    with zipfile.ZipFile(path, "w", method) as archive, archive.open("a.npy", "w") as file:
        file.write(b"\x93NUMPY" + version + size + header)
        for _ in range(content // MEGABYTE):
            file.write(bytes(MEGABYTE))
    return ArrayFile(path)


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_what_numpy_wrote_comes_back(tmp_path, save):
    arrays = {"x": np.arange(24.0).reshape(2, 3, 4), "y": np.array(["a", "bc"]), "e": np.zeros(0)}
    arrays["f"] = np.asfortranarray(arrays["x"][0])
    save(tmp_path / "a.npz", **arrays)
    file = ArrayFile(tmp_path / "a.npz")
    assert file.names == tuple(arrays)
    for name, array in arrays.items():
        np.testing.assert_array_equal(file.read(name, 1000), array)
        assert file.header(name).dtype == array.dtype


def test_rows_come_in_any_order_and_in_little_memory(tmp_path):
    x = np.random.default_rng(0).integers(0, 255, (64, MEGABYTE), np.uint8)
    np.savez(tmp_path / "a.npz", x=x)
    rows = RowReader(ArrayFile(tmp_path / "a.npz"), "x", most=MEGABYTE)
    with peak_memory() as peak:
        for i in (3, 4, 60, 2):
            np.testing.assert_array_equal(rows[i], x[i])
    assert peak.bytes < 20 * MEGABYTE
    with pytest.raises(IndexError):
        rows[64]


@pytest.mark.parametrize(
    ("claimed", "content", "reason"),
    [
        ((300 * MEGABYTE,), 300 * MEGABYTE, "claims 314,572,800 bytes, more than 67,108,864"),
        ((2**40,), 0, "claims 1,099,511,627,776 bytes"),
        ((64 * MEGABYTE,), MEGABYTE, "ends 66,060,288 bytes early"),
    ],
)
def test_an_archive_cannot_fill_the_memory(tmp_path, claimed, content, reason):
    file = bomb(tmp_path / "a.npz", claimed, content)
    with peak_memory() as peak, pytest.raises(ValueError, match=reason):
        file.read("a", 64 * MEGABYTE)
    assert peak.bytes < 80 * MEGABYTE


def test_more_content_than_claimed_is_not_unpacked(tmp_path):
    file = bomb(tmp_path / "a.npz", (10,), 300 * MEGABYTE)
    with peak_memory() as peak:
        assert file.read("a", 64 * MEGABYTE).tolist() == [0] * 10
    assert peak.bytes < 10 * MEGABYTE


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_packings_that_unpack_without_a_limit_are_refused(tmp_path, method):
    file = bomb(tmp_path / "a.npz", (10,), 100 * MEGABYTE, method)
    with pytest.raises(ValueError, match="NumPy does not write"):
        file.read("a", 64 * MEGABYTE)


def test_long_headers_objects_and_structures_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"version 1\.0"):
        bomb(tmp_path / "b.npz", (10,), 0, version=b"\x02\x00").header("a")
    pairs = np.zeros(2, [("a", "u1"), ("b", "f4")])
    np.savez(tmp_path / "a.npz", o=np.array([{}], object), s=pairs)
    for name in "os":
        with pytest.raises(ValueError, match="neither numbers nor text"):
            ArrayFile(tmp_path / "a.npz").read(name, 1000)


def test_a_file_that_is_no_archive_or_lacks_the_array(tmp_path):
    (tmp_path / "a.npz").write_bytes(b"nothing")
    with pytest.raises(ValueError, match="zip"):
        ArrayFile(tmp_path / "a.npz").names  # noqa: B018
    with zipfile.ZipFile(tmp_path / "b.npz", "w"):
        pass
    with pytest.raises(ValueError, match="no item named"):
        ArrayFile(tmp_path / "b.npz").read("x", 10)
