"""Numbers of processes in the environment: a launcher's, and those left over in a shell."""

import os

import pytest

from records.ranks import NAMES, drop_stray_ranks, is_nonzero_rank


@pytest.fixture(autouse=True)
def _clean(monkeypatch):
    for name in (*NAMES, "WORLD_SIZE", "MASTER_ADDR", "SLURM_NTASKS"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("value", ["1", "0", "abc", "-1"])
def test_a_number_without_a_launcher_is_dropped(monkeypatch, value):
    monkeypatch.setenv("RANK", value)
    assert drop_stray_ranks() == [f"RANK={value}"]
    assert "RANK" not in os.environ
    assert not is_nonzero_rank()


def test_a_launcher_s_number_stands(monkeypatch):
    launcher = {"RANK": "1", "LOCAL_RANK": "1", "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1"}
    for name, value in launcher.items():
        monkeypatch.setenv(name, value)
    assert drop_stray_ranks() == []
    assert is_nonzero_rank()


def test_the_command_runs_with_a_number_left_over(launch, monkeypatch):
    monkeypatch.setenv("RANK", "1")
    assert launch("model=none", "callbacks=none") == 0
    assert "RANK=1: set without WORLD_SIZE" in launch.output
    assert launch.run().read()["status"] == "done"
