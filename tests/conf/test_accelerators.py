"""A missing GPU is reported before torch is imported."""

import pytest

from conf import accelerators
from conf.accelerators import gpu_problem


@pytest.fixture
def cuda_build(monkeypatch, tmp_path):
    monkeypatch.setattr(accelerators, "versions", lambda: {"torch": "2.13.0+cu128"})
    monkeypatch.setattr(accelerators, "NVIDIA", tmp_path / "gpus")
    monkeypatch.setattr(accelerators, "OTHERS", ())
    monkeypatch.setattr(accelerators.platform, "system", lambda: "Linux")
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    return tmp_path / "gpus"


def test_a_driver_without_gpus_or_with_hidden_ones(cuda_build, monkeypatch):
    assert "no GPU is visible here (no NVIDIA driver" in gpu_problem(["gpu"])
    (cuda_build / "0000:01:00.0").mkdir(parents=True)
    assert gpu_problem(["gpu", "cuda"]) == ""
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "-1")
    assert "CUDA_VISIBLE_DEVICES='-1'" in gpu_problem(["auto", "cuda"])
    assert gpu_problem(["auto", "cpu"]) == ""


def test_apples_gpus_have_no_float64(cuda_build, monkeypatch):
    assert "no float64" in gpu_problem(["mps"])
    monkeypatch.setattr(accelerators.platform, "system", lambda: "Darwin")
    assert "trainer=cpu" in gpu_problem(["gpu"])
    assert gpu_problem(["auto", "cpu"]) == ""


def test_a_build_for_cpus(monkeypatch):
    monkeypatch.setattr(accelerators, "versions", lambda: {"torch": "2.13.0+cpu"})
    assert "torch 2.13.0+cpu is built for CPUs" in gpu_problem(["gpu"])


def test_the_command_answers_without_torch(launch, monkeypatch):
    import sys

    monkeypatch.setattr(accelerators, "versions", lambda: {"torch": "2.13.0+cpu"})
    monkeypatch.setitem(sys.modules, "callbacks.build", None)  # importing it would fail
    assert launch("trainer=gpu") == 2
    assert "use trainer=cpu" in launch.output
    assert launch.runs() == []
