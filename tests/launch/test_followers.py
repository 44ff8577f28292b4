"""Rank 1, 2, ... of a run, which Slurm starts at the same time as rank 0."""

import pytest

from analysis.runs.records import read_runs
from conf.plan import plan
from launchers import run as module
from launchers.run import run_one
from records.attempt import begin
from records.run_folder import RunFolder
from records.run_state import run_state


@pytest.fixture
def trained(monkeypatch):
    """The checkpoints that training was to go on from, in place of training."""
    seen = []
    monkeypatch.setattr(
        module, "train", lambda _run, _folder, checkpoint, _: seen.append(checkpoint)
    )
    monkeypatch.setattr(module, "find_checkpoint", lambda folder: folder / "last.ckpt")
    monkeypatch.setenv("RANK", "1")
    return seen


@pytest.mark.parametrize(
    ("resume", "status", "goes_on"),
    [
        ("auto", "done", None),  # rank 0 skips: nobody would answer
        ("auto", "running", [True]),
        ("never", "done", [False]),  # the checkpoint is one that rank 0 is about to remove
    ],
)
def test_a_follower_decides_as_rank_0(tmp_path, trained, resume, status, goes_on):
    (run,) = plan([f"paths.runs={tmp_path}", f"resume={resume}"]).runs
    begin(RunFolder(run.folder), run.settings)
    RunFolder(run.folder).update(status=status)
    run_one(run)
    assert [checkpoint is not None for checkpoint in trained] == (goes_on or [])


@pytest.fixture
def broken(tmp_path, monkeypatch):
    """A run, begun by rank 0, of which rank 1 can only fail."""

    def train(*_):
        raise RuntimeError("no memory\nat all")

    monkeypatch.setattr(module, "train", train)
    (run,) = plan([f"paths.runs={tmp_path}"]).runs
    begin(RunFolder(run.folder), run.settings)
    monkeypatch.setenv("RANK", "1")
    return run


def test_what_broke_a_follower_is_told_once_rank_0_is_gone(tmp_path, broken):
    folder = RunFolder(broken.folder)
    with folder.lock():
        with pytest.raises(RuntimeError, match="no memory"):
            run_one(broken)
        assert run_state(folder.path).status == "running"
    assert run_state(folder.path).status == "failed"
    assert run_state(folder.path).error == folder.read()["error"]
    assert folder.read()["error"] == "rank 1: RuntimeError: no memory"
    assert read_runs([tmp_path]).table.status.tolist() == ["failed"]
    (left,) = folder.tracebacks()
    assert "raise RuntimeError(" in left.read_text()
    begin(folder, broken.settings, resumed=True)
    assert run_state(folder.path).status == "interrupted"  # and not failed


def test_a_follower_of_a_rank_0_that_ended_first_is_not_to_blame(broken):
    with pytest.raises(RuntimeError):
        run_one(broken)
    folder = RunFolder(broken.folder)
    assert run_state(folder.path).status == "interrupted"
