"""One run on two nodes of a real cluster: a process on each, with the numbers of one process."""

import subprocess
import sys

import pytest

from tests.conftest import ROOT
from tests.slurm.cluster import cluster, missing

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(missing()), reason=f"no Slurm here; {missing()}"),
]
RUN = ("logger=csv", "epochs=2", "n=100", "callbacks=evaluation", "trainer=cpu")
NODES = (
    *("trainer.strategy=ddp", "trainer.num_nodes=2", "hydra/launcher=submitit_slurm"),
    *("hydra.launcher.nodes=2", "hydra.launcher.cpus_per_task=1", "hydra.launcher.timeout_min=30"),
    # the nodes' names are Slurm's alone here; on a real cluster rank 0's is found by its name
    "+hydra.launcher.setup=['export MASTER_ADDR=127.0.0.1']",
)


def test_two_nodes_give_the_numbers_of_one_process(launch, scalars, tmp_path, tmp_path_factory):
    assert launch(*RUN, "name=alone", small=False) == 0
    words = launch.arguments(*RUN, *NODES, "name=nodes")
    with cluster(tmp_path_factory.mktemp("slurm"), nodes=2) as environment:
        done = subprocess.run(
            [sys.executable, str(ROOT / "launch.py"), "-m", *words],
            cwd=tmp_path,
            env={**environment, "OMP_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
            timeout=600,
        )
        asked = ("sacct", "-n", "-X", "-o", "NNodes,NTasks,State,NodeList%20")
        jobs = subprocess.run(asked, env=environment, capture_output=True, text=True).stdout
    assert done.returncode == 0, done.stdout + done.stderr
    assert "node[0-1]" in jobs, jobs
    folder = launch.run("nodes")
    assert folder.read()["status"].startswith("done")
    assert folder.read()["devices"] == 2
    assert scalars(folder) == pytest.approx(scalars(launch.run("alone")), rel=1e-4)
