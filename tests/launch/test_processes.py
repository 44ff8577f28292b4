"""The same run on one process and on two."""

import os
import signal
import time
from pathlib import Path

import pytest

SETTINGS = ("n=130", "epochs=3", "callbacks=none", "logger=csv")  # 130 = 128 + 2: unequal shares


def finish(process, code=0):
    output, _ = process.communicate(timeout=240)
    assert process.returncode == code, output
    return output


# A network with batch norm in float64: in float32 its 6th step lets the last bits grow to 0.4 %.
@pytest.mark.parametrize(
    "more", [(), ("model=simple_convnet_small", "batch_size=128", "precision=64-true")]
)
def test_two_processes_give_the_numbers_of_one(launch, scalars, more):
    launch(*SETTINGS, *more, "name=one", small=False)
    finish(launch.start(*SETTINGS, *more, "name=two", "trainer=ddp_cpu", small=False))
    one, two = launch.run("one"), launch.run("two")
    assert one.path.name == two.path.name  # the machine is not part of the key
    assert (one.read()["devices"], two.read()["devices"]) == (1, 2)
    assert scalars(two) == pytest.approx(scalars(one), rel=1e-5)
    rows = two.metrics_file.read_text().splitlines()
    assert len(rows) == len(set(rows)) == len(one.metrics_file.read_text().splitlines())


def test_a_sweep_may_mix_numbers_of_devices(launch):
    command = ("-m", "trainer=ddp_cpu", "trainer.devices=2,1", "seed=0,1", "epochs=1")
    finish(launch.start(*command))  # 4 jobs, 2 runs: the devices are not part of the key
    assert [run.read()["status"] for run in launch.runs()] == ["done", "done"]
    assert {run.read()["devices"] for run in launch.runs()} == {2}


def test_ddp_inside_a_sweep_is_refused_with_a_way_out(launch):
    assert launch("-m", "trainer.strategy=ddp", "seed=0,1") == 2
    assert "trainer=ddp_cpu" in launch.output


def test_many_devices_without_a_strategy_are_refused_too(launch):
    assert launch("-m", "trainer.devices=2", "trainer.accelerator=cpu", "seed=0,1") == 2


def children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_a_killed_rank_ends_the_run_and_one_process_can_finish_it(launch, scalars, tmp_path):
    long = ("n=50", "epochs=60", "callbacks=none", "logger=csv", "checkpoint_seconds=0")
    launch(*long, "name=whole", small=False)
    process = launch.start(*long, "name=killed", "trainer=ddp_cpu", small=False, pause=3)
    folder = tmp_path / "runs" / "killed" / launch.run("whole").path.name
    while not (folder / "checkpoints" / "last.ckpt").exists():
        assert process.poll() is None
        time.sleep(0.05)
    ranks = children(process.pid)
    assert len(ranks) >= 2
    os.kill(ranks[-1], signal.SIGKILL)
    output = finish(process, code=1)
    assert "SIGKILL" in output
    assert launch.run("killed").read()["status"] == "failed"
    launch(*long, "name=killed", small=False)
    record = launch.run("killed").read()
    assert record["status"] == "done"
    assert [session["devices"] for session in record["sessions"]] == [2, 1]
    # sums in another order differ in the last bit, and 60 epochs let that grow
    assert scalars(launch.run("killed")) == pytest.approx(scalars(launch.run("whole")), rel=0.1)


def test_probes_give_the_numbers_of_one_process_on_two(launch, scalars):
    """On an untrained network: two processes train to other last bits."""
    settings = ("n=130", "epochs=0", "callbacks=full", "logger=csv", "task=all", "task.noise=0.3")
    settings = (*settings, "probes.models=8")  # of G_F, which takes seconds otherwise
    launch(*settings, "name=one", small=False)
    finish(launch.start(*settings, "name=two", "trainer=ddp_cpu", small=False))
    one, two = scalars(launch.run("one")), scalars(launch.run("two"))
    assert {"data/k_f", "train/d_repr_mle/penultimate", "test/fgsm_loss_penalty@8"} <= set(one)
    assert two == pytest.approx(one, rel=1e-6)
    figures = [
        sorted(path.name for path in launch.run(name).figures.iterdir()) for name in ("one", "two")
    ]
    assert figures[0] == figures[1] != []


def test_a_killed_parent_takes_its_ranks_along_and_frees_the_lock(launch, tmp_path):
    long = ("n=50", "epochs=2000", "callbacks=none", "logger=csv", "checkpoint_seconds=0")
    process = launch.start(*long, "trainer=ddp_cpu", small=False)
    while not list(tmp_path.glob("runs/default/*/checkpoints/last.ckpt")):
        assert process.poll() is None
        time.sleep(0.05)
    ranks = children(process.pid)
    process.kill()
    process.wait()
    deadline = time.monotonic() + 30
    while any(Path(f"/proc/{rank}").exists() for rank in ranks) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(Path(f"/proc/{rank}").exists() for rank in ranks)
