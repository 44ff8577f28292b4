import errno
import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from datamodules import cache as cache_module
from datamodules.cache import ImageCache, Rows
from datamodules.errors import DataError

SHAPE = (1, 8, 8)


class Decoder:
    """Row i shows image i in the level i."""

    def __init__(self):
        self.decoded = []

    def images(self, source):
        self.decoded += source.tolist()
        return np.stack([np.full(SHAPE, i % 256, np.uint8) for i in source])

    def block(self, start, stop, done):
        assert len(done.source) == start
        source = np.arange(start, stop)
        return Rows(self.images(source), source, np.zeros(0, np.int64))

    def again(self, source):
        return self.images(source)


def entry(folder, **identity):
    return ImageCache(folder, identity or {"data": "levels"}, SHAPE)


def whole(rows, n):
    return rows.pixels.shape == (n, *SHAPE) and all(
        (row == i).all() for i, row in enumerate(rows.pixels)
    )


def test_rows_only_grow(tmp_path):
    decoder = Decoder()
    for n in (5, 3, 9):
        rows = entry(tmp_path).rows(n, decoder)
        assert whole(rows, n)
        assert rows.source.tolist() == list(range(n))
    assert decoder.decoded == list(range(9))


def test_another_identity_is_another_entry(tmp_path):
    entry(tmp_path).rows(2, Decoder())
    decoder = Decoder()
    entry(tmp_path, data="levels", size=9).rows(2, decoder)
    assert decoder.decoded == [0, 1]


def test_nobodys_accident_reaches_the_file(tmp_path):
    rows = entry(tmp_path).rows(4, Decoder())
    rows.pixels[:] = 99
    assert whole(entry(tmp_path).rows(4, Decoder()), 4)


@pytest.mark.parametrize("damage", ["flip", "truncate", "remove"])
def test_damaged_rows_are_found_said_and_decoded_anew(tmp_path, caplog, damage):
    entry(tmp_path).rows(6, Decoder())
    path = entry(tmp_path).folder / "rows.u8"
    if damage == "flip":
        pixels = bytearray(path.read_bytes())
        pixels[3 * 64 + 10] ^= 1
        path.write_bytes(pixels)
    elif damage == "truncate":
        path.write_bytes(path.read_bytes()[: 3 * 64 + 5])
    else:
        path.unlink()
    decoder = Decoder()
    with caplog.at_level(logging.WARNING):
        assert whole(entry(tmp_path).rows(6, decoder), 6)
    expected = {"flip": [3], "truncate": [3, 4, 5], "remove": list(range(6))}[damage]
    assert decoder.decoded == expected
    assert f"{len(expected)} of 6 images" in caplog.text
    assert whole(entry(tmp_path).rows(6, decoder), 6)
    assert decoder.decoded == expected


def test_a_damaged_index_is_rebuilt(tmp_path, caplog):
    entry(tmp_path).rows(6, Decoder())
    (entry(tmp_path).folder / "index.npz").write_bytes(b"PK\x03\x04 not an index")
    assert whole(entry(tmp_path).rows(6, Decoder()), 6)
    assert "index" in caplog.text


def test_a_full_disk_leaves_the_entry_whole(tmp_path, monkeypatch):
    entry(tmp_path).rows(4, Decoder())

    def full(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(cache_module.os, "fsync", full)
    with pytest.raises(DataError, match=r"No space left on device.*intact.*paths\.cache"):
        entry(tmp_path).rows(40, Decoder())
    monkeypatch.undo()
    decoder = Decoder()
    assert whole(entry(tmp_path).rows(4, decoder), 4)
    assert decoder.decoded == []
    assert whole(entry(tmp_path).rows(40, decoder), 40)


class Breaking(Decoder):
    def block(self, start, stop, done):
        if start >= 8:
            raise KeyboardInterrupt
        return super().block(start, stop, done)


def test_what_was_decoded_before_an_interruption_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(cache_module, "BLOCK_BYTES", 4 * 64)
    with pytest.raises(KeyboardInterrupt):
        entry(tmp_path).rows(20, Breaking())
    decoder = Decoder()
    assert whole(entry(tmp_path).rows(20, decoder), 20)
    assert decoder.decoded == list(range(8, 20))


def test_parallel_jobs_decode_once(tmp_path):
    decoder = Decoder()
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda n: entry(tmp_path).rows(n, decoder), [50, 20, 50, 35]))
    assert all(whole(rows, len(rows.pixels)) for rows in found)
    assert sorted(decoder.decoded) == list(range(50))


def test_an_unwritable_cache_says_where_to_put_it(tmp_path, monkeypatch):
    def refused(self, *args, **options):
        raise PermissionError(errno.EACCES, "Permission denied", str(self))

    monkeypatch.setattr(Path, "mkdir", refused)
    with pytest.raises(DataError, match=r"Permission denied.*paths\.cache"):
        entry(tmp_path).rows(4, Decoder())
