"""Hydra's own extension points are closed."""

import os
import subprocess
import sys

import pytest

from conf.hydra_settings import problems_of_hydra
from conf.plan import plan
from tests.conftest import ROOT

HYDRA = {
    "launcher": {"_target_": "launchers.processes.Processes"},
    "sweeper": {"_target_": "hydra._internal.core_plugins.basic_sweeper.BasicSweeper"},
    "job_logging": {"version": 1, "root": None},
    "hydra_logging": {"version": 1, "root": None},
    "callbacks": {},
}


@pytest.mark.parametrize(
    "word",
    [
        "+hydra.callbacks.x._target_=os.system",
        "hydra.searchpath=[file:///tmp]",
        "hydra.launcher._target_=os.system",
        "hydra.sweeper._target_=os.system",
        "+hydra.job_logging.handlers.x={(): os.system}",
        "hydra/job_logging=default",
        "+hydra.job.env_set.LD_PRELOAD=x.so",
        "+task@hydra.callbacks.x=pair",
        " hydra.searchpath=[file:///tmp]",
        "+hydra.launcher.x={_target_: os.system}",
        "+hydra.launcher.x='${oc.create:{_target_: os.system}}'",
        "+hydra.launcher.x=${callbacks.x}",
        "+hydra.sweeper.params.x={_target_: os.system}",
    ],
)
@pytest.mark.parametrize("flags", [(), ("-m",), ("--cfg", "job"), ("--help",)])
def test_a_command_cannot_extend_hydra(word, flags):
    (problem,) = plan([*flags, word]).problems
    assert "of Hydra's own settings only hydra/launcher" in problem


@pytest.mark.parametrize("word", ["data=../../tmp/evil", "+data=../x", "+data@x=../x"])
@pytest.mark.parametrize("flags", [(), ("-m",), ("--cfg", "job"), ("--info", "all")])
def test_a_command_cannot_choose_a_file_elsewhere(word, flags):
    (problem,) = plan([*flags, word]).problems
    assert "configurations come from conf/ alone" in problem


@pytest.mark.parametrize(
    "change",
    [
        {"callbacks": {"x": {"_target_": "callbacks.pace.Pace"}}},
        {"searchpath": ["file:///tmp"]},
        {"job": {"env_set": {"A": "b"}}},
        {"launcher": {"_target_": "os.system"}},
        {"launcher": {**HYDRA["launcher"], "x": [{"y": {"_target_": "os.system"}}]}},
        {"sweeper": {**HYDRA["sweeper"], "x": {"_target_": "os.system"}}},
        {"sweeper": {"_target_": "os.system"}},
        {"job_logging": {"version": 1, "handlers": {"x": {"()": "os.system"}}}},
    ],
)
def test_nor_can_a_file(change):
    assert list(problems_of_hydra(HYDRA)) == []
    assert len(list(problems_of_hydra(HYDRA | change))) == 1


def test_a_callback_of_hydra_does_not_run_while_a_question_is_answered(tmp_path):
    place = tmp_path / "made"
    words = [f"+hydra.callbacks.x.{word}" for word in ("_target_=os.mkdir", f"path={place}")]
    command = [sys.executable, str(ROOT / "launch.py"), "--cfg", "job", *words]
    assert subprocess.run(command, capture_output=True).returncode == 2
    assert not place.exists()


def test_an_option_of_a_launcher_is_not_built(tmp_path):
    """Hydra builds a launcher with all that is inside its node."""
    (tmp_path / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nC = dict\n")
    words = ["hydra/launcher=joblib", "+hydra.launcher.x={_target_: evil.C}", "seed=0,1"]
    command = [sys.executable, str(ROOT / "launch.py"), "-m", f"paths.runs={tmp_path}", *words]
    environment = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}"}
    assert subprocess.run(command, capture_output=True, env=environment).returncode == 2
    assert not (tmp_path / "ran").exists()
