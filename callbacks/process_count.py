"""Whether torchrun or Slurm has started as many processes as a run is to have."""

import os

import pytorch_lightning as pl
from lightning_fabric.plugins.environments.slurm import SLURMEnvironment
from lightning_fabric.plugins.environments.torchelastic import TorchElasticEnvironment

from records.counted import counted

TORCHRUN = (
    "use trainer=ddp trainer.devices=<processes on a node> trainer.num_nodes=<nodes>, or leave out "
    "torchrun"
)
SLURM = (
    "start as many tasks with srun, or one process, which starts the others, with "
    "`env -u SLURM_NTASKS python launch.py ...`"
)


def check_process_count(trainer: pl.Trainer) -> None:
    """ValueError if there are more or fewer processes than devices.

    Lightning trains on those that were started, without a message: on one of four GPUs, or the same
    run in four processes.
    """
    if TorchElasticEnvironment.detect():
        started, way_out = int(os.environ.get("WORLD_SIZE", 1)), f"torchrun: {TORCHRUN}"
    elif isinstance(_environment(trainer), SLURMEnvironment):
        started, way_out = trainer.world_size, f"Slurm (SLURM_NTASKS): {SLURM}"
    else:
        return
    needed = trainer.num_devices * trainer.num_nodes
    if started != needed:
        raise ValueError(
            f"trainer.devices={trainer.num_devices} and trainer.num_nodes={trainer.num_nodes} need "
            f"{_processes(needed)}; {_processes(started)} started by {way_out}."
        )


def _processes(count: int) -> str:
    return counted(count, "process", "processes")


def _environment(trainer: pl.Trainer) -> object:
    """Where the strategy reads its ranks; None for a single device."""
    return getattr(trainer.strategy, "cluster_environment", None)
