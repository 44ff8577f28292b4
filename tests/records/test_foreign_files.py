"""Small files beside the runs, as somebody else may send them: pipes, bombs, no JSON, no UTF-8."""

import gzip
import json
import os

import pytest

from datamodules.content import Contents
from records.data_identity import FOLDER, read_manifest
from records.lock import Lock
from records.run_folder import RunFolder
from records.sweep import planned_below
from tests.fuzz.mutations import confined
from tests.memory import peak_memory


def device(path):
    path.symlink_to("/dev/zero")


PLACES = [os.mkfifo, device]


@pytest.mark.parametrize(
    "place", [*PLACES, lambda path: path.write_text("[" * 100_000), lambda path: path.mkdir()]
)
def test_a_note_of_a_sweep_that_is_none_plans_nothing(place, tmp_path):
    (tmp_path / "sweeps").mkdir()
    (tmp_path / "sweeps" / "good.json").write_text('{"command": "c", "runs": ["a"]}')
    place(tmp_path / "sweeps" / "odd.json")
    with confined():
        assert planned_below(tmp_path) == {tmp_path / "a"}


@pytest.mark.parametrize("place", PLACES)
def test_a_manifest_is_no_pipe(place, tmp_path):
    (tmp_path / FOLDER).mkdir()
    place(tmp_path / FOLDER / "x.json.gz")
    with confined():
        assert read_manifest(tmp_path, "x") is None


def test_a_manifest_cannot_fill_the_memory(tmp_path):
    content = {"total": 1, "images": {"a": [0, "", "x"]}}
    path = tmp_path / FOLDER / "x.json.gz"
    path.parent.mkdir()
    path.write_bytes(gzip.compress(json.dumps(content).encode()))
    assert read_manifest(tmp_path, "x").total == 1
    with gzip.open(path, "wb") as file:
        for _ in range(300):
            file.write(b" " * 2**20)
        file.write(json.dumps(content).encode())
    assert path.stat().st_size < 2**20
    with peak_memory() as peak:
        assert read_manifest(tmp_path, "x") is None
    assert peak.bytes < 280 * 2**20


@pytest.mark.parametrize(
    ("place", "status"),
    [
        (os.mkfifo, "running"),
        (device, "running"),
        (lambda path: path.write_bytes(b"\xff\xfe\n"), "failed"),
    ],
)
def test_a_traceback_of_a_rank_may_be_anything(place, status, tmp_path):
    record = {"status": "running", "settings": {}}
    (tmp_path / "record.json").write_text(json.dumps(record))
    place(tmp_path / "traceback-rank1.txt")
    with confined():
        assert RunFolder(tmp_path).read()["status"] == status


def test_a_lock_that_is_a_pipe_is_not_held(tmp_path):
    os.mkfifo(tmp_path / "lock")
    with confined():
        assert not Lock(tmp_path / "lock").is_held()


@pytest.mark.parametrize("place", PLACES)
def test_an_image_that_never_ends_has_no_digest(place, tmp_path):
    place(tmp_path / "a.png")
    with confined():
        (digest,) = Contents(None, tmp_path).digests([tmp_path / "a.png"])
    assert digest == "unreadable: not a regular file"
