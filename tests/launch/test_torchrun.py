"""`torchrun` on one node and on two: the numbers of one process."""

import contextlib
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from records.run_folder import RunFolder

ROOT = Path(__file__).parents[2]
RUN = ("logger=csv", "epochs=2", "n=100", "callbacks=evaluation", "trainer=cpu")


def free_port() -> int:
    """Below the ports that the system gives to others at any moment (from 32,768)."""
    for port in range(10_000 + os.getpid() % 20_000, 32_000):
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port
    pytest.fail("no free port")


def torchrun(home: Path, name: str, *options: str, **settings: object) -> subprocess.Popen[str]:
    overrides = [f"trainer.{key}={value}" for key, value in settings.items()]
    places = [f"paths.runs={home}/runs", f"paths.cache={home}/{name}", f"name={name}"]
    launcher = [sys.executable, "-m", "torch.distributed.run", *options, str(ROOT / "launch.py")]
    return subprocess.Popen(
        [*launcher, *RUN, "trainer.strategy=ddp", *overrides, *places],
        cwd=home,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def one_node(home: Path) -> list[subprocess.Popen[str]]:
    return [torchrun(home, "several", "--standalone", "--nproc_per_node=2", devices=2)]


def two_nodes(home: Path) -> list[subprocess.Popen[str]]:
    meeting = ("--nnodes=2", "--nproc_per_node=1", "--master_addr=127.0.0.1")
    meeting = (*meeting, f"--master_port={free_port()}")
    return [
        torchrun(home, "several", *meeting, f"--node_rank={rank}", devices=1, num_nodes=2)
        for rank in (0, 1)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("nodes", [one_node, two_nodes])
def test_torchrun_gives_the_numbers_of_one_process(nodes, launch, scalars, tmp_path):
    assert launch(*RUN, "name=alone", small=False) == 0
    for process in nodes(tmp_path):
        output, _ = process.communicate(timeout=900)
        assert process.returncode == 0, output
    (record,) = (tmp_path / "runs" / "several").glob("*/record.json")
    folder = RunFolder(record.parent)
    assert folder.read()["devices"] == 2
    assert scalars(folder) == pytest.approx(scalars(launch.run("alone")), rel=1e-4)
