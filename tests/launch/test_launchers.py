"""Several runs at once: their own GPUs and threads, their own ends; the table from the records."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from conf.plan import plan
from conf.run_plan import RunPlan
from launchers import processes, threads
from launchers.interrupts import PART
from launchers.processes import Processes
from launchers.slots import Slot, Slots
from records.attempt import outcome
from records.run_state import run_state
from tests.conftest import ROOT

SCRIPT = """
import json, os, signal, subprocess, sys, time
from pathlib import Path
kind, place = sys.argv[1:]
Path(place).write_text(json.dumps({**os.environ, "pid": os.getpid()}))
if kind == "dies":
    print("out of luck", file=sys.stderr)
    sys.stderr.flush()
    os.kill(os.getpid(), signal.SIGKILL)
if kind == "deaf":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen(["sleep", "600"])
    Path(place + ".child").write_text(str(child.pid))
    time.sleep(600)
if kind == "orphans":
    child = subprocess.Popen(["sleep", "600"])
    Path(place + ".child").write_text(str(child.pid))
    os.kill(os.getpid(), signal.SIGKILL)
if kind == "bug":
    print("Warning: odd\\nTraceback (most recent call last):\\nKeyError: 3", file=sys.stderr)
    sys.exit(1)
if kind == "grumbles":
    print("Traceback (most recent call last):\\nOSError: of a thread", file=sys.stderr)
"""


@pytest.fixture(autouse=True)
def _ctrl_c_is_heard():
    """A shell lets programs that it starts in the background ignore Ctrl-C, and tests with them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def stub(tmp_path, monkeypatch):
    """Stands for launch.py, and tells what it saw; on a machine of eight free cores."""
    monkeypatch.setattr(processes, "free_cores", lambda: 8)
    monkeypatch.setattr(threads, "AT_START", "")
    (tmp_path / "launch.py").write_text(SCRIPT)
    monkeypatch.setattr(processes, "ROOT", tmp_path)
    return tmp_path


def run_of(*words: str, devices=1, accelerator="auto", threads="auto") -> RunPlan:
    """A run whose command has these words."""
    trainer = [f"trainer.devices={devices}", f"trainer.accelerator={accelerator}"]
    return replace(plan([*trainer, f"threads={threads}"]).runs[0], overrides=words)


def test_every_run_has_its_own_gpus_and_share_of_the_cores(stub, monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3,4,5,6")
    monkeypatch.setenv("LOCAL_RANK", "1")
    devices = (2, 1, 2, "auto")
    places = [str(stub / f"saw{i}") for i in range(4)]
    runs = [
        run_of("fine", p, devices=n, accelerator="gpu")
        for p, n in zip(places, devices, strict=True)
    ]
    assert Processes("auto").run(runs) == []
    seen = [json.loads(Path(place).read_text()) for place in places]
    assert [len(one["CUDA_VISIBLE_DEVICES"].split(",")) for one in seen] == [2, 1, 2, 4]
    assert {one["OMP_NUM_THREADS"] for one in seen} == {"2"}  # of eight free cores, four GPUs
    assert not any("LOCAL_RANK" in one for one in seen)


def test_runs_of_several_sizes_share_no_gpu_and_wait_for_room():
    slots = Slots(["a", "b", "c", "d"], cores=8)
    first, second = slots.take(3, "gpu"), slots.take(1, "gpu")
    assert first.places == ("a", "b", "c")
    assert second.places == ("d",)
    slots.release(first)
    third = slots.take(2, "gpu")
    assert third.places == ("a", "b")
    assert slots.take(2, "gpu") is None  # one is free
    slots.release(second)
    assert slots.take(2, "gpu").places == ("c", "d")


def test_a_run_of_two_processes_takes_the_cores_of_two():
    slots = Slots([], cores=8)
    two, one = slots.take(2, "cpu"), slots.take(1, "auto")
    assert {two.environment["OMP_NUM_THREADS"], one.environment["OMP_NUM_THREADS"]} == {"2"}
    assert slots.take(2, "cpu") is None  # two of eight cores are free
    assert slots.take("auto", "cpu") is not None
    assert Slots([], cores=2).take(4, "cpu").environment == {"OMP_NUM_THREADS": "1"}


def test_every_run_takes_its_own_number_of_devices(stub, monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    two = replace(plan(["trainer=ddp_cpu"]).runs[0], overrides=("fine", str(stub / "a")))
    assert Processes("auto").run([two, run_of("fine", str(stub / "b"))]) == []
    assert json.loads((stub / "a").read_text())["OMP_NUM_THREADS"] == "2"


def test_a_given_number_of_jobs_shares_gpus_evenly():
    slots = Slots(["a", "b"], cores=8, jobs=4)
    assert [slots.take(1, "gpu").places[0] for _ in range(4)] == ["a", "b", "a", "b"]
    assert slots.take(1, "gpu") is None
    assert Slots([], cores=6, jobs=3).take(2, "cpu").environment == {"OMP_NUM_THREADS": "1"}


def test_a_run_that_dies_is_told_and_takes_nobody_along(stub):
    runs = [run_of("dies", str(stub / "a")), run_of("fine", str(stub / "b"))]
    (told,) = Processes(1).run(runs)
    assert "code -9: out of luck" in told
    assert (stub / "b").exists()


def test_on_error_stop_starts_nothing_after_a_failure(stub):
    runs = [run_of("dies", str(stub / "a"))]
    runs += [run_of("fine", str(stub / name)) for name in ("b", "c")]
    launcher = Processes(1, on_error="stop")
    assert len(launcher.run(runs)) == 1
    assert launcher.not_started == 2
    assert not (stub / "b").exists()


def test_a_bug_outside_any_run_is_told_also_after_a_warning(stub):
    words = [["bug", str(stub / "a")], ["grumbles", str(stub / "b")]]
    (told,) = Processes(1).run([run_of(*one) for one in words])
    assert "code 1: KeyError: 3" in told


@pytest.mark.parametrize(("given", "setting", "used"), [("3", "auto", "3"), ("3", 1, "1")])
def test_the_user_s_number_of_threads_is_kept(stub, monkeypatch, caplog, given, setting, used):
    caplog.set_level("INFO")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    monkeypatch.setattr(threads, "AT_START", given)
    runs = [run_of("fine", str(stub / name), threads=setting) for name in "abc"]
    assert Processes("auto").run(runs) == []
    assert json.loads((stub / "a").read_text())["OMP_NUM_THREADS"] == used
    at_once = {"3": "2 runs at once, 3 threads each", "1": "3 runs at once, 1 thread each"}[used]
    assert f"{at_once}: 8 of " in caplog.text


def test_runs_end_when_their_launcher_is_killed(launch):
    """SIGKILL leaves no time to end them."""
    grid = ("-m", "seed=0,1", "epochs=4000", "n=50", "checkpoint_seconds=0")
    process = launch.start(*grid, "hydra/launcher=processes", "hydra.launcher.jobs=2")
    while len(list(launch.home.glob("runs/default/*/checkpoints/last.ckpt"))) < 2:
        assert process.poll() is None
        time.sleep(0.1)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    assert len(children) == 2
    process.kill()
    process.wait()
    check_gone(*map(int, children))
    assert {run_state(run.path).status for run in launch.runs()} == {"interrupted"}


def test_ranks_do_not_outlive_a_run_that_died(stub):
    place = stub / "a"
    Processes(1).run([run_of("orphans", str(place))])
    check_gone(int(Path(f"{place}.child").read_text()))


def ring_when(condition, times):
    """Ctrl-C, so many times, once a condition holds, while the main thread is busy."""

    def ring():
        while not condition():
            time.sleep(0.02)
        for _ in range(times):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.5)

    threading.Thread(target=ring, daemon=True).start()


@pytest.mark.parametrize(("times", "patience"), [(1, 0.3), (2, 600.0)])
def test_an_interrupted_sweep_leaves_no_process_behind(stub, monkeypatch, times, patience):
    """Asked once, a deaf run is given time; asked twice, none."""
    monkeypatch.setattr(processes, "PATIENCE", patience)
    place, child = stub / "deaf", stub / "deaf.child"
    ring_when(lambda: child.exists() and child.read_text(), times)
    with pytest.raises(KeyboardInterrupt):
        Processes(1).run([run_of("deaf", str(place))])
    check_gone(json.loads(place.read_text())["pid"], int(child.read_text()))


def test_ctrl_c_just_as_a_run_starts_leaves_it_not_behind(stub, monkeypatch):
    monkeypatch.setattr(processes, "PATIENCE", 0.3)
    started = []

    class Popen(subprocess.Popen):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            started.append(self.pid)
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(processes.subprocess, "Popen", Popen)
    with pytest.raises(KeyboardInterrupt):
        Processes(1).run([run_of("deaf", str(stub / "a"))])
    check_gone(*started)


def test_the_notes_of_a_single_run_are_printed_once(launch):
    words = ("-m", "hydra/launcher=processes", "data.validation=0.2", "epochs=1")
    output, _ = launch.start(*words).communicate(timeout=240)
    assert output.count("network is tested") == 1, output


def check_gone(*pids: int) -> None:
    deadline = time.monotonic() + 120  # a busy machine is no defect
    while any(map(alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(alive, pids))


def alive(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


@pytest.mark.parametrize("launcher", ["basic", "processes", "joblib", "submitit_slurm"])
def test_every_launcher_plans_the_same_runs(launcher):
    planned = plan(["-m", f"hydra/launcher={launcher}", "seed=0,1"])
    assert planned.problems == []
    assert [run.key for run in planned.runs] == [run.key for run in plan(["-m", "seed=0,1"]).runs]


def test_a_launcher_that_is_not_there_or_not_installed_is_told(monkeypatch):
    from conf import launchers

    assert "did you mean `joblib`" in plan(["-m", "hydra/launcher=jobli", "seed=0,1"]).problems[0]
    assert plan(["-m", "hydra/launcher=processes", "hydra.launcher.jobs=0"]).problems
    monkeypatch.setattr(launchers, "find_spec", lambda _: None)
    (problem,) = plan(["-m", "hydra/launcher=joblib", "seed=0,1"]).problems
    assert "pip install -e '.[launchers]'" in problem


@pytest.mark.parametrize(
    ("before", "after", "held", "word"),
    [
        (None, None, False, "not started"),
        (None, {"status": "running"}, False, "interrupted"),
        (None, {"status": "running"}, True, "running"),
        (None, {"status": "failed"}, False, "failed"),
    ],
)
def test_the_table_names_what_became_of_a_run_elsewhere(before, after, held, word):
    assert outcome(before, after, held) == word


@pytest.mark.parametrize("launcher", ["joblib", "processes"])
def test_a_sweep_in_other_processes(launch, launcher, scalars):
    at_once = {"joblib": "hydra.launcher.n_jobs=2", "processes": "hydra.launcher.jobs=2"}[launcher]
    grid = ("-m", "seed=0,1", "data.size=32,8")  # LeNet needs 16 pixels
    process = launch.start(*grid, "name=there", f"hydra/launcher={launcher}", at_once)
    output, _ = process.communicate(timeout=600)
    assert process.returncode == 1, output
    assert output.count("│ done") == 2, output
    assert output.count("│ failed") == 2, output
    assert "Traceback:" in output
    assert all("name=there" in run.read()["command"] for run in launch.runs("there"))
    assert launch(*grid, "name=here") == 1
    for there, here in zip(launch.runs("there"), launch.runs("here"), strict=True):
        assert there.path.name == here.path.name
        assert scalars(there) == scalars(here)
    process = launch.start(*grid[:2], "name=there", f"hydra/launcher={launcher}", at_once)
    output, _ = process.communicate(timeout=600)
    assert output.count("skipped") == 2, output


def test_runs_on_two_devices_each_inside_a_sweep(launch, scalars):
    """`ddp` re-runs the command line, which is one run's here."""
    grid = ("-m", "seed=0,1", "trainer=ddp_cpu", "trainer.strategy=ddp")
    process = launch.start(*grid, "hydra/launcher=processes", "hydra.launcher.jobs=2")
    output, _ = process.communicate(timeout=600)
    assert process.returncode == 0, output
    assert [run.read()["devices"] for run in launch.runs()] == [2, 2]
    launch("-m", "seed=0,1", "name=one")
    for two, one in zip(launch.runs(), launch.runs("one"), strict=True):
        assert scalars(two) == pytest.approx(scalars(one), rel=1e-5)


@pytest.mark.skipif(sys.platform != "linux", reason="end_with_parent does nothing elsewhere")
@pytest.mark.parametrize(("rank", "code"), [("0", -signal.SIGTERM), ("1", 0)])
def test_a_rank_that_another_rank_started_is_no_orphan_of_the_launcher(rank, code):
    group = {"LOCAL_RANK": rank, "WORLD_SIZE": "2", "MASTER_ADDR": "localhost"}
    ended = {PART: "1"}  # this process, not process 1, starts the one below
    script = "from launchers.interrupts import end_with_launcher as end; end()"
    process = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=os.environ | ended | group, check=False
    )
    assert process.returncode == code


@pytest.mark.parametrize("name", ["SLURM_NTASKS", "WORLD_SIZE", "TORCHELASTIC_RUN_ID"])
def test_runs_started_inside_another_job_do_not_take_its_processes_for_ranks(name, monkeypatch):
    given = {}
    monkeypatch.setenv(name, "8")
    monkeypatch.setattr(processes.subprocess, "Popen", lambda *_, env, **__: given.update(env))
    (run,) = plan([]).runs
    Processes()._start(run, Slot((), {"OMP_NUM_THREADS": "1"}))
    assert given["OMP_NUM_THREADS"] == "1"
    assert name not in given
