"""A sweep on a real cluster: stopped jobs are queued again and end with the same numbers."""

import subprocess
import sys
import time

import pytest

from records.run_folder import RunFolder
from tests.conftest import ROOT
from tests.launch.test_survival import LONG, assert_same_run
from tests.slurm.cluster import cluster, missing

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(missing()), reason=f"no Slurm here; {missing()}"),
]
SETTINGS = (*LONG, "epochs=400", "seed=0,1,2,3")
SLURM = (
    *("hydra/launcher=submitit_slurm", "hydra.launcher.timeout_min=30"),
    *("hydra.launcher.cpus_per_task=1", "name=slurm"),
)


@pytest.fixture(scope="module")
def slurm(tmp_path_factory):
    with cluster(tmp_path_factory.mktemp("slurm")) as environment:
        yield {**environment, "OMP_NUM_THREADS": "1"}


@pytest.fixture
def sweep(launch, slurm, tmp_path):
    def start():
        return subprocess.Popen(
            [sys.executable, str(ROOT / "launch.py"), "-m", *launch.arguments(*SETTINGS, *SLURM)],
            cwd=tmp_path,
            env=slurm,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    return start


def ask(environment, *words):
    return subprocess.run(words, env=environment, capture_output=True, text=True).stdout


def by_seed(launch):
    return {RunFolder(f.path).read()["settings"]["seed"]: f for f in launch.runs("slurm")}


def wait_for_checkpoints(process, tmp_path, count, seconds=300):
    deadline = time.monotonic() + seconds
    while len(list(tmp_path.glob("runs/slurm/*/checkpoints/last.ckpt"))) < count:
        assert process.poll() is None, process.communicate()[0]
        assert time.monotonic() < deadline, "no job came to its first checkpoint"
        time.sleep(0.1)


def test_stopped_jobs_are_queued_again_and_the_table_tells(launch, sweep, slurm, tmp_path):
    process = sweep()
    wait_for_checkpoints(process, tmp_path, 4)
    array = ask(slurm, "squeue", "-h", "-o", "%F").split()[0]
    ask(slurm, "scancel", "--signal=USR2", f"{array}_1")  # as before a time limit
    ask(slurm, "scancel", "--signal=TERM", f"{array}_2")  # as preemption with a grace time
    ask(slurm, "scontrol", "requeue", f"{array}_3")  # as preemption without, or a lost node
    output, _ = process.communicate(timeout=500)
    assert process.returncode == 0, output
    assert output.count("resumed") == 3, output
    assert output.count("done ") >= 1
    for seed, folder in by_seed(launch).items():
        assert folder.read()["status"] == "done"
        assert len(folder.read()["sessions"]) == (1 if seed == 0 else 2)
    assert launch(*SETTINGS[:-1], "seed=2", "name=whole", small=False) == 0
    assert_same_run(by_seed(launch)[2], launch.run("whole"))


def test_a_cancelled_job_is_told_and_the_same_command_goes_on(launch, sweep, slurm, tmp_path):
    process = sweep()
    wait_for_checkpoints(process, tmp_path, 4)
    array = ask(slurm, "squeue", "-h", "-o", "%F").split()[0]
    ask(slurm, "scancel", f"{array}_2")
    output, _ = process.communicate(timeout=500)
    assert process.returncode == 1, output
    assert "interrupted" in output
    while ask(slurm, "squeue", "-h").strip():  # the launcher does not wait for the others
        time.sleep(1)
    assert by_seed(launch)[2].read()["status"] == "running"
    process = sweep()
    output, _ = process.communicate(timeout=500)
    assert process.returncode == 0, output
    assert (output.count("resumed"), output.count("skipped")) == (1, 3), output
