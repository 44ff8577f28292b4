"""One run, in whatever process: lock, skip or go on or start, train, measure, record.

torch is imported only once a run really starts. Nothing is kept in this process: what became of a
run is in its record, so that a launcher's worker and the process that shows the table agree.
"""

import contextlib
import shlex
import sys
import traceback
from pathlib import Path

from omegaconf import DictConfig

from conf.planned import Planned
from conf.resolve import look_up
from launchers.say import say
from records.attempt import (
    begin,
    decide,
    fail,
    fail_as_follower,
    note,
    note_devices,
    succeed,
)
from records.checkpoints import find_checkpoint
from records.ranks import is_follower
from records.run_folder import RunFolder

LOCAL_NORM = (
    "batch normalisation `{}` goes by the images of each process alone, so that the numbers depend "
    "on how many there are; use GlobalBatchNorm2d, or on GPUs trainer.sync_batchnorm=true"
)


class Stopped(Exception):  # noqa: N818  # not an error of its own: it follows one
    """`on_error=stop`, and a run failed: the sweep ends here."""


def run_one(run: Planned, is_first: bool = True) -> None:
    """Leave a record of this run, whatever happens.

    Args:
        run: what to do.
        is_first: of this process; it tells how fast training is, the sweep what is left after it.

    Raises:
        Stopped: it failed, and `on_error=stop`.
    """
    folder, resume = RunFolder(run.folder, say), str(run.plain["resume"])
    if is_follower():
        try:
            follow(run, folder, resume, is_first)
        except Exception as error:
            fail_as_follower(folder, error, traceback.format_exc())
            raise
        return
    with contextlib.ExitStack() as held:
        try:
            held.enter_context(folder.lock())
            folder.set_aside_if_broken()
            checkpoint = find_checkpoint(folder.checkpoints, say)
            decision = decide(folder.read(), checkpoint is not None, resume, run.key)
            if decision == "skip":
                return
            if decision == "go on":
                say(f"{run.key}: goes on from {checkpoint}.")
            if decision == "start":
                if folder.status != "new":
                    say(f"{run.key}: starts from nothing.")
                folder.clear()
                checkpoint = None
            begin(
                folder,
                run.settings,
                resumed=checkpoint is not None,
                **{name: look_up(run.plain, name) for name in ("standin", "protocol", "preset")},
                command=shlex.join(["python", "launch.py", *command_of(run)]),
            )
            train(run, folder, checkpoint, is_first)
        except Exception as error:
            fail(folder, error, traceback.format_exc())  # held still: who waits for it writes next
            if run.plain["on_error"] == "stop":
                raise Stopped(run.key) from error


def follow(run: Planned, folder: RunFolder, resume: str, is_first: bool) -> None:
    """Rank 1, 2, ...: decide as rank 0 does, which alone writes; a rank alone waits for ever.

    Under Slurm all ranks start at once, so old checkpoints may still lie where rank 0 clears.
    """
    checkpoint = None if resume == "never" else find_checkpoint(folder.checkpoints, say)
    if decide(folder.read(), checkpoint is not None, resume, run.key) != "skip":
        train(run, folder, checkpoint, is_first)


def command_of(run: Planned) -> list[str]:
    """The words that started it: of a launcher's worker, those of the run alone."""
    own = Path(sys.argv[0]).name == "launch.py"
    return sys.argv[1:] if own else list(run.overrides)


def train(run: Planned, folder: RunFolder, checkpoint: Path | None, is_first: bool) -> None:
    """Build, fit, test, record."""
    from callbacks.build import build_loggers, build_probes, build_trainer
    from callbacks.checkpoint import restore_callbacks
    from callbacks.finish import close, final_scalars, measure_data, reload
    from datamodules.build import build_data
    from lightning_modules.build import build_classifier
    from lightning_modules.layers.global_batch_norm import local_norms

    config: DictConfig = run.config
    data = build_data(config)
    probes = build_probes(config)
    loggers = build_loggers(config, run.settings, folder)
    failed = True
    try:
        if config.model.network is None:
            note_devices(folder, devices=1)
            measure_data(data, probes, loggers, config.seed)
        else:
            module = build_classifier(config, data.spec)
            trainer = build_trainer(config, probes, loggers, folder, is_first, say)
            if trainer.is_global_zero:
                note_devices(folder, trainer.world_size)
                is_shared = trainer.world_size > 1 and not config.trainer.sync_batchnorm
                if is_shared and (local := local_norms(module)):
                    note(folder, LOCAL_NORM.format(local[0]))
            trainer.fit(module, datamodule=data, ckpt_path=checkpoint)
            reload(loggers)
            if trainer.world_size > 1:
                restore_callbacks(trainer, folder.checkpoints)
            trainer.test(module, datamodule=data, verbose=False)
        failed = False
    finally:
        close(loggers, failed)
    if not is_follower():
        succeed(folder, final_scalars(loggers), data.spec.as_dict(), list(data.notes))
