"""`trainer=ddp` with a device per rank, gloo replacing NCCL: the numbers of one CPU process."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from records.run_folder import RunFolder
from tests.accelerator import lightning_accelerator
from tests.accelerator.check_run import RUN, same

lightning_accelerator.register()
HERE = Path(__file__).parent
# trainer.accelerator=gpu is refused before the start, where torch is built for CPUs
DDP = ("trainer=ddp", "trainer.accelerator=auto")
NORMALISED = (
    *("model=simple_convnet_small", "precision=64-true", "callbacks=evaluation", "logger=csv"),
    *("n=50", "epochs=2", "probes.on_error=stop"),
)


@pytest.fixture
def ranks(launch, tmp_path):
    """Start all ranks as torchrun does; returns the run and what each rank printed at its end."""

    def start(*overrides: str, count: int = 2) -> tuple[RunFolder, list[str]]:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        world = str(count)
        meeting = {"WORLD_SIZE": world, "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
        meeting |= {"TORCHELASTIC_RUN_ID": "check", "GROUP_RANK": "0", "LOCAL_WORLD_SIZE": world}
        launch.cache = tmp_path / "cache of the ranks"
        words = launch.arguments(*overrides, *DDP, f"trainer.devices={count}", "name=ranks")
        started = [
            subprocess.Popen(
                [sys.executable, str(HERE / "launch_on_device.py"), *words],
                cwd=tmp_path,
                env={**os.environ, **meeting, "RANK": rank, "LOCAL_RANK": rank},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            for rank in map(str, range(count))
        ]
        try:
            outputs = [process.communicate(timeout=900)[0] for process in started]
        finally:
            for process in started:  # one that waits for a rank that failed
                process.kill()
        for process, output in zip(started, outputs, strict=True):
            assert process.returncode == 0, output[-4000:]
        return launch.run("ranks"), [output.splitlines()[-1] for output in outputs]

    return start


def test_all_probes_over_two_devices_have_the_numbers_of_the_cpu(launch, ranks, scalars):
    # 50 images in batches of 7: ranks have unequal shares, and one has none of the last batch
    settings = (*RUN, "n=50", "batch_size=7", "epochs=2")
    assert launch(*settings, "name=host", "trainer=cpu", small=False) == 0
    run, ends = ranks(*settings)
    assert run.read()["devices"] == 2
    assert run.path.name == launch.run("host").path.name
    same(scalars(run), scalars(launch.run("host")))
    assert [end.split(";")[0] for end in ends] == ["computed on gpu:0", "computed on gpu:1"]


# Of 50 images in batches of 8, rank 2 has none in the last batch of an epoch.
@pytest.mark.parametrize(("batch_size", "steps"), [(15, (8, 8)), (8, (14, 14, 12))])
def test_batch_norm_is_converted_to_torchs_own_and_counts_all_images_once(
    batch_size, steps, launch, ranks, scalars
):
    settings = (*NORMALISED, f"batch_size={batch_size}")
    assert launch(*settings, "name=host", "trainer=cpu", small=False) == 0
    run, ends = ranks(*settings, count=len(steps))
    same(scalars(run), scalars(launch.run("host")))
    assert ends == [
        f"computed on gpu:{rank}; SyncBatchNorm normalised {8 * taken} times"
        for rank, taken in enumerate(steps)
    ]
