"""Entries of a cache that is complete but not writable, full or damaged."""

import json
import os
import shutil
import tempfile
from pathlib import Path

import pytest
import torch

from metrics.functional.geometry import Geometry
from metrics.functional.geometry_file import load_geometry, save_geometry
from records.cached import cached_archive, cached_json

NOBODY = 65534


@pytest.fixture
def shared():
    """A folder that everybody may look into: pytest's own are private."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder / "cache"
    shutil.rmtree(folder)


def as_nobody(check) -> bool:
    """Whether a function is true where this process may not write; root may anywhere."""
    child = os.fork()
    if child == 0:
        if os.geteuid() == 0:
            os.setuid(NOBODY)
        try:
            os._exit(0 if check() else 1)
        except BaseException:
            os._exit(2)
    return os.waitpid(child, 0)[1] == 0


def unwritable(folder):
    for path in [folder, *folder.iterdir()]:
        path.chmod(0o555 if path.is_dir() else 0o444)


def never():
    raise AssertionError("computed again")


def geometry() -> Geometry:
    return Geometry.from_rows(torch.arange(8.0).view(2, 1, 2, 2))


def stored(folder, identity, compute) -> Geometry:
    return cached_archive(folder, identity, compute, load_geometry, save_geometry)


def test_a_complete_cache_that_cannot_be_written_is_read(shared):
    cached_json(shared, {"size": 8}, lambda: {"answer": 1.5})
    stored(shared, {"network": "a"}, geometry)
    unwritable(shared)
    assert as_nobody(lambda: cached_json(shared, {"size": 8}, never) == {"answer": 1.5})
    assert as_nobody(
        lambda: torch.equal(stored(shared, {"network": "a"}, never).rows, geometry().rows)
    )


def test_without_room_to_write_the_result_is_computed_and_not_kept(shared):
    shared.mkdir()
    unwritable(shared)
    assert as_nobody(lambda: cached_json(shared, {"size": 8}, lambda: {"a": 1}) == {"a": 1})
    assert as_nobody(lambda: stored(shared, {}, geometry).rows.shape == (2, 4))
    assert list(shared.iterdir()) == []


@pytest.mark.parametrize(
    "harm",
    [
        lambda text: text[: len(text) // 2],
        lambda text: text.replace("1.5", "7.5"),
        lambda text: text.replace("answer", "anwser"),
        lambda text: json.dumps({**json.loads(text), "result": None}),
        lambda text: json.dumps({**json.loads(text), "result": {}}),
        lambda text: "[" * 100_000,
        lambda text: "\0" * len(text),
    ],
)
def test_a_damaged_entry_is_computed_anew(tmp_path, harm, caplog):
    cached_json(tmp_path, {"size": 8}, lambda: {"answer": 1.5})
    (path,) = tmp_path.glob("*.json")
    whole = path.read_text()
    path.write_text(harm(whole))
    assert cached_json(tmp_path, {"size": 8}, lambda: {"answer": 1.5}) == {"answer": 1.5}
    assert "is damaged" in caplog.text
    assert path.read_text() == whole


def test_a_damaged_geometry_is_computed_anew(tmp_path, caplog):
    stored(tmp_path, {"network": "a"}, geometry)
    (path,) = tmp_path.glob("*.pt")
    content = bytearray(path.read_bytes())
    content[content.find(torch.arange(8.0).numpy().tobytes()) + 7] ^= 0x40  # one bit of a number
    path.write_bytes(content)
    assert torch.equal(stored(tmp_path, {"network": "a"}, geometry).rows, geometry().rows)
    assert "is damaged" in caplog.text
