"""The callbacks, loggers and trainer of a run, from its configuration."""

import logging
import os
import warnings
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final, Literal

import pytorch_lightning as pl
import torch
from hydra.utils import instantiate
from omegaconf import DictConfig
from pytorch_lightning.loggers import Logger
from pytorch_lightning.profilers import Profiler, SimpleProfiler
from pytorch_lightning.strategies import DDPStrategy, Strategy

from callbacks.best_network import BestNetwork
from callbacks.checkpoint import AtomicCheckpointIO, Checkpointing
from callbacks.no_profiler import NoProfiler
from callbacks.outputs import SharedMoment
from callbacks.pace import Pace
from callbacks.probe import Probe
from callbacks.process_count import check_process_count
from callbacks.progress import ProgressBar
from callbacks.run_record import RunRecord
from callbacks.stop import StopEarly
from callbacks.training_log import TrainingLog
from callbacks.validation import Validation
from callbacks.wandb_logger import run_id, wandb_logger
from records.printable import printable
from records.ranks import is_nonzero_rank
from records.run_folder import RunFolder

STARTS: Final[dict[str, Literal["popen", "fork", "spawn"]]] = {
    "ddp": "popen", "ddp_fork": "fork", "ddp_spawn": "spawn",
}  # fmt: skip


def build_loggers(config: DictConfig, settings: dict[str, Any], folder: RunFolder) -> list[Logger]:
    """The run record always; W&B if configured."""
    loggers: list[Logger] = [RunRecord(folder)]
    if config.logger.wandb and not is_nonzero_rank():
        sweep = os.environ.get("PLUMBLINE_SWEEP", "")
        key = folder.path.name
        loggers.append(
            wandb_logger(
                folder.path,
                config.logger.mode,
                project=config.logger.project,
                entity=config.logger.entity,
                id=run_id(config.name, key),
                name=key,
                group="-".join(filter(None, (config.name.replace("/", "-"), sweep))),
                job_type=config.name,
                tags=[config.protocol, config.preset] + ["standin"] * config.standin,
                config=printable(settings),
            )
        )
    return loggers


def build_probes(config: DictConfig) -> list[Probe]:
    """The probes in the order of the configuration; those whose scores others share come first."""
    probes: list[Probe] = [
        instantiate(node, _convert_="all")
        for node in (config.callbacks or {}).values()
        if node is not None  # callbacks.<probe>=null leaves it out
    ]
    if config.data.get("validation") is not None:
        probes.append(Validation())
    probes.sort(key=lambda probe: not probe.shares_scores)
    shared = SharedMoment(probes)
    for probe in probes:
        probe.seed, probe.on_error, probe.shared = config.seed, config.probes.on_error.name, shared
    return probes


def build_trainer(
    config: DictConfig,
    probes: list[Probe],
    loggers: list[Logger],
    folder: RunFolder,
    report_pace: bool,
) -> pl.Trainer:
    """The trainer of a run, with its bar, log, stop rule, probes and checkpoints."""
    stop = instantiate(config.stop)
    best = build_best(config, folder)
    by_probes = isinstance(stop, StopEarly)  # applied after the probes have measured
    callbacks: list[pl.Callback] = [
        TrainingLog(config.seed),
        *([] if by_probes else [stop]),
        ProgressBar(folder.path.name),
        *([Pace(config.preset)] if report_pace else []),
        *probes,
        *([best] if best else []),
        *([stop] if by_probes else []),
        Checkpointing(folder.checkpoints, config.checkpoint_seconds, best),
    ]
    return make_trainer(config, callbacks, loggers, folder)


def build_best(config: DictConfig, folder: RunFolder) -> BestNetwork | None:
    """Keeps the best network by the stop rule's number or the validation loss; None without."""
    if monitor := config.stop.get("monitor"):
        return BestNetwork(folder.checkpoints, monitor, config.stop.mode)
    has_validation = config.data.get("validation") is not None
    return BestNetwork(folder.checkpoints) if has_validation else None


def make_trainer(
    config: DictConfig,
    callbacks: Sequence[pl.Callback],
    loggers: list[Logger],
    folder: RunFolder,
    **options: Any,
) -> pl.Trainer:
    """Lightning's trainer with our own checkpoint files and loggers.

    Lightning's bar, model summary and per-step logging are off: they make its default loop 1.4 to
    1.7 times slower than plain torch on small networks.
    """
    quieten()
    use_deterministic_kernels(config.trainer.deterministic)
    profiler: Profiler | str = config.trainer.profiler or NoProfiler()
    if profiler == "simple":  # a table in the run folder, not on the screen
        profiler = SimpleProfiler(dirpath=folder.path, filename="profile")
    make = instantiate(config.trainer, _partial_=True, _convert_="all")
    trainer: pl.Trainer = make(
        accelerator=choose_accelerator(config.trainer.accelerator),
        strategy=build_strategy(config.trainer.strategy),
        deterministic=None,  # set above
        profiler=profiler,
        max_epochs=config.epochs,
        precision=config.precision.name,
        callbacks=list(callbacks),
        logger=loggers,
        plugins=[AtomicCheckpointIO()],
        default_root_dir=str(folder.path),
        enable_progress_bar=False,
        enable_model_summary=False,
        log_every_n_steps=10**9,
        num_sanity_val_steps=0,
        use_distributed_sampler=False,  # batches are distributed to ranks by index
        **options,
    )
    check_process_count(trainer)
    return trainer


def choose_accelerator(name: str) -> str:
    """The CPU instead of Apple's GPU, which has no float64 and which Lightning's `auto` takes."""
    apple = torch.backends.mps.is_available() and not torch.cuda.is_available()
    return "cpu" if name == "auto" and apple else name


def use_deterministic_kernels(wanted: bool) -> None:
    """As `Trainer(deterministic=wanted)`, which would also import torch's compiler to set it up."""
    torch.set_deterministic_debug_mode("error" if wanted else "default")
    if wanted:
        torch.backends.cudnn.benchmark = False
        os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":4096:8"  # NVIDIA asks for it


def build_strategy(name: str) -> Strategy | str:
    """Lightning's strategy of this name, with a timeout of a day between ranks.

    Work of rank 0 alone (G_F of a deep network, waiting for another run's cache) may take longer
    than torch's default of 30 minutes, after which the waiting ranks would end the run.
    """
    if name not in STARTS:
        return name
    return DDPStrategy(start_method=STARTS[name], timeout=timedelta(days=1))


def quieten() -> None:
    """Suppress Lightning's warnings about deliberate choices."""
    for name in ("pytorch_lightning", "lightning_fabric"):
        logging.getLogger(name).setLevel(logging.ERROR)
    warnings.filterwarnings("ignore", message=".*LeafSpec.*")
    warnings.filterwarnings("ignore", message=".*`srun` command is available.*")
    warnings.filterwarnings("ignore", module="pytorch_lightning")
