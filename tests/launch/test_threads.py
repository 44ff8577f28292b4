"""How many threads a run computes with, and that its record says so."""

import os

import pytest
import torch

from conf.plan import plan
from launchers import threads
from launchers.threads import choose_threads
from records import cores


@pytest.fixture(autouse=True)
def _restored():
    before, variable = torch.get_num_threads(), os.environ.get("OMP_NUM_THREADS")
    yield
    torch.set_num_threads(before)
    os.environ.pop("OMP_NUM_THREADS", None)
    if variable is not None:
        os.environ["OMP_NUM_THREADS"] = variable


@pytest.fixture
def _free(monkeypatch):
    monkeypatch.setattr(threads, "AT_START", "")
    monkeypatch.setattr(threads, "free_cores", lambda: 6)
    monkeypatch.setattr(threads, "_announced", set())


@pytest.mark.usefixtures("_free")
def test_the_setting_then_the_record_then_the_environment_then_the_free_cores(monkeypatch):
    (auto,), (fixed,), (ranks,) = (
        plan(words).runs for words in ([], ["threads=3"], ["trainer=ddp_cpu"])
    )
    assert choose_threads(auto, None) == 6
    assert choose_threads(ranks, None) == 3  # of each of two processes
    assert choose_threads(fixed, {"threads": 2}) == 3
    assert choose_threads(auto, {"threads": 2}) == 2
    monkeypatch.setattr(threads, "AT_START", "4")
    assert (choose_threads(auto, None), choose_threads(auto, {"threads": 2})) == (4, 2)


@pytest.mark.usefixtures("_free")
def test_a_run_records_its_threads_and_keeps_them_on_resume(launch):
    assert launch("threads=1") == 0
    assert launch.run().read()["threads"] == torch.get_num_threads() == 1
    assert launch("seed=1") == 0
    assert launch.runs()[1].read()["threads"] == torch.get_num_threads() == 6
    assert "6 threads: 6 of " in launch.output
    assert launch("threads=2") == 0
    assert "1 done already" in launch.output  # no part of the key


def test_cores_that_others_use_are_not_free(monkeypatch):
    monkeypatch.setattr(cores, "cores", lambda: 8)
    monkeypatch.setattr(cores, "_others", lambda: 5.3)
    assert cores.free_cores() == 3
    monkeypatch.setattr(cores, "_others", lambda: 20.0)
    assert cores.free_cores() == 1


def test_a_container_s_quota_limits_the_cores(monkeypatch, tmp_path):
    monkeypatch.setattr(cores, "QUOTA", tmp_path / "cpu.max")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(16))
    assert cores.cores() == 16
    (tmp_path / "cpu.max").write_text("250000 100000\n")
    assert cores.cores() == 3
    (tmp_path / "cpu.max").write_text("max 100000\n")
    assert cores.cores() == 16
    monkeypatch.delattr(os, "sched_getaffinity")  # as on macOS
    monkeypatch.setattr(os, "cpu_count", lambda: 6)
    assert cores.cores() == 6


def test_what_others_compute_is_read_from_the_kernel(monkeypatch, tmp_path):
    stat = tmp_path / "stat"
    monkeypatch.setattr(cores, "STAT", stat)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    stat.write_text(
        "cpu 9 9 9\ncpu0 100 7 50 0 0 0 0 0\ncpu1 50 0 0 0 0 0 0 0\ncpu2 900 0 0 0 0 0 0 0\n"
    )
    assert cores._busy_seconds() == 2.0  # nice and the third core do not count
