"""Rank 1, 2, ... of a run, which Slurm starts at the same time as rank 0."""

import pytest

from conf.plan import plan
from launchers import run as module
from launchers.run import run_one
from records.run_folder import RunFolder


@pytest.fixture
def trained(monkeypatch):
    """The checkpoints that training was to go on from, in place of training."""
    seen = []
    monkeypatch.setattr(
        module, "train", lambda _run, _folder, checkpoint, _: seen.append(checkpoint)
    )
    monkeypatch.setattr(module, "find_checkpoint", lambda folder, _: folder / "last.ckpt")
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
    RunFolder(run.folder).update(status=status)
    run_one(run)
    assert [checkpoint is not None for checkpoint in trained] == (goes_on or [])
