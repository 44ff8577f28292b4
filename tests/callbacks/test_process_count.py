"""As many processes as devices, or a message: not a run on one of them."""

import pytest

from callbacks.build import build_trainer
from conf.plan import plan
from records.run_folder import RunFolder

TWO = ("trainer=cpu", "trainer.strategy=ddp", "trainer.devices=2")


def built(folder, *words):
    (run,) = plan(list(words)).runs
    return build_trainer(run.config, [], [], RunFolder(folder), False)


@pytest.fixture
def slurm(monkeypatch):
    def tasks(count: int) -> None:
        for name in ("JOB_ID", "PROCID", "LOCALID", "NODEID"):
            monkeypatch.setenv(f"SLURM_{name}", "0")
        monkeypatch.setenv("SLURM_JOB_NAME", "train")
        monkeypatch.setenv("SLURM_NTASKS", str(count))
        monkeypatch.setenv("SLURM_NTASKS_PER_NODE", str(count))

    return tasks


@pytest.fixture
def torchrun(monkeypatch):
    given = {"RANK": "0", "LOCAL_RANK": "0", "WORLD_SIZE": "2", "GROUP_RANK": "0"}
    given |= {"LOCAL_WORLD_SIZE": "2", "TORCHELASTIC_RUN_ID": "run"}
    for name, value in (given | {"MASTER_ADDR": "localhost", "MASTER_PORT": "29500"}).items():
        monkeypatch.setenv(name, value)


def test_one_task_of_slurm_for_two_devices_names_the_way_out(tmp_path, slurm):
    slurm(1)
    with pytest.raises(ValueError, match="need 2 processes; 1 process started by Slurm .*-u SLURM"):
        built(tmp_path, *TWO)


def test_as_many_tasks_as_devices_and_one_device_in_a_job_are_fine(tmp_path, slurm):
    slurm(2)
    assert built(tmp_path, *TWO).world_size == 2
    assert built(tmp_path, "trainer=cpu").world_size == 1  # of a sweep inside the job


def test_torchrun_without_ddp_is_refused(tmp_path, torchrun):
    with pytest.raises(ValueError, match="need 1 process; 2 processes started by torchrun: use"):
        built(tmp_path, "trainer=cpu")
    assert built(tmp_path, *TWO).world_size == 2


def test_a_name_of_torchrun_left_in_a_shell_is_one_process(tmp_path, monkeypatch):
    monkeypatch.setenv("TORCHELASTIC_RUN_ID", "run")
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    assert built(tmp_path, "trainer=cpu").world_size == 1
