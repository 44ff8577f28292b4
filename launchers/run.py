"""One run, in any process: lock, skip or resume or start, train, measure, record.

torch is imported only when a run starts. The outcome of a run is in its record and not in this
process, so that it is the same for a launcher's worker and for the process that prints the table.
"""

import contextlib
import logging
import shlex
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

from omegaconf import DictConfig

from conf.resolve import look_up
from conf.run_plan import RunPlan
from launchers.longer_run import CONTINUES, Shorter, shorter_run
from launchers.measure_missing import measure_missing
from launchers.other_data import forget_failures_without_data
from launchers.threads import choose_threads, use_threads
from records.attempt import (
    CannotResumeError,
    Decision,
    begin,
    decide,
    fail,
    fail_on_nonzero_rank,
    note,
    note_devices,
    succeed,
)
from records.checkpoints import LAST, find_checkpoint
from records.data_identity import keep_manifest
from records.ranks import is_nonzero_rank
from records.run_folder import RunFolder
from records.status import SETTLED

if TYPE_CHECKING:
    from pytorch_lightning import LightningDataModule, LightningModule, Trainer

log = logging.getLogger(__name__)

LOCAL_NORM = (
    "batch normalisation `{}` uses the images of each process separately: the numbers depend on "
    "the number of processes; use GlobalBatchNorm2d, or on GPUs trainer.sync_batchnorm=true"
)

NOTHING_TO_MEASURE = (
    "%s: trained, but it has no usable checkpoint to take its missing measurements from; its "
    "numbers are kept, and resume=never trains it again."
)


class Stopped(Exception):  # noqa: N818  # not an error itself: it follows one
    """`on_error=stop`, and a run failed: the sweep ends here."""


def run_one(run: RunPlan, is_first: bool = True) -> None:
    """Execute a run and write its record, even if it fails.

    The first run of a process reports the training speed. Raises `Stopped` if the run failed, and
    `on_error=stop`.
    """
    folder = RunFolder(run.folder)
    if is_nonzero_rank():
        try:
            follow(run, folder, is_first)
        except Exception as error:
            fail_on_nonzero_rank(folder, error, traceback.format_exc())
            raise
        return
    with contextlib.ExitStack() as held:
        try:
            held.enter_context(folder.lock())
            lead(run, folder, is_first)
        except Exception as error:
            if isinstance(error, CannotResumeError):  # nothing has started: no record
                log.error("%s", error)
                folder.remove_if_empty()
            else:
                fail(folder, error, traceback.format_exc())  # the lock is still held
            if run.plain["on_error"] == "stop":
                raise Stopped(run.key) from error


def lead(run: RunPlan, folder: RunFolder, is_first: bool) -> None:
    """Rank 0: skip, repeat failed measurements, resume or start, in a locked folder."""
    folder.set_aside_if_broken()
    folder.remove_temporary_files()
    decision, checkpoint = choose(run, folder)
    if decision == "skip":
        if (folder.read() or {}).get("status") not in SETTLED:
            log.warning(NOTHING_TO_MEASURE, run.key)
        return
    if decision == "measure" and checkpoint is not None:
        measure_missing(run, folder, checkpoint)
        return
    if decision == "resume":
        log.info("%s: resumes from %s.", run.key, checkpoint)
        begin_record(run, folder, resumed=True)
    else:
        checkpoint = start(run, folder)
    if run.data is not None:
        forget_failures_without_data(run)
        with contextlib.suppress(OSError):  # it only serves to report changes of the data
            keep_manifest(folder.path.parent, run.data)
    train(run, folder, checkpoint, is_first)


def start(run: RunPlan, folder: RunFolder) -> Path | None:
    """Clear the folder and begin the record; returns the checkpoint of a shorter run, if any."""
    with contextlib.ExitStack() as held:
        restarts = run.plain["resume"] == "never"
        shorter = None if restarts else held.enter_context(shorter_run(run))
        if shorter is not None:
            name = shorter.folder.path.name
            log.info("%s: continues %s after its %d epochs.", run.key, name, shorter.epochs)
        elif folder.read() is not None:
            why = "resume=never" if restarts else "it has no usable checkpoint"
            log.info("%s: starts from scratch: %s.", run.key, why)
        folder.clear()
        begin_record(run, folder, resumed=False, shorter=shorter)
        if shorter is None:
            return None
        shorter.hand_over(folder)
        return folder.checkpoints / LAST


def begin_record(
    run: RunPlan, folder: RunFolder, resumed: bool, shorter: Shorter | None = None
) -> None:
    """Write the facts that are known before training."""
    before = folder.read() if resumed else shorter.record if shorter else None
    is_command = Path(sys.argv[0]).name == "launch.py"  # else a worker, for this run alone
    words = sys.argv[1:] if is_command else run.overrides
    begin(
        folder,
        run.settings,
        resumed=resumed,
        **{name: look_up(run.plain, name) for name in ("standin", "protocol", "preset")},
        command=shlex.join(["python", "launch.py", *words]),
        threads=choose_threads(run, before),
        data_fingerprint=run.fingerprint,
        data_set_fingerprint=run.data.whole if run.data else None,
        **({} if resumed else {CONTINUES: shorter.folder.path.name if shorter else None}),
    )


def follow(run: RunPlan, folder: RunFolder, is_first: bool) -> None:
    """Rank 1, 2, ...: decide as rank 0 does, but write nothing; ranks that differ would hang.

    Under Slurm all ranks start at once, so rank 0 may not have removed old checkpoints yet.
    """
    decision, checkpoint = choose(run, folder)
    if decision == "measure" and checkpoint is not None:
        measure_missing(run, folder, checkpoint)
    elif decision != "skip":
        train(run, folder, checkpoint, is_first)


def choose(run: RunPlan, folder: RunFolder) -> tuple[Decision, Path | None]:
    """What to do with a run, and from which checkpoint."""
    resume = str(run.plain["resume"])
    checkpoint = None if resume == "never" else find_checkpoint(folder.checkpoints)
    record = folder.read()
    if record is not None and record.get("data_fingerprint") != run.fingerprint:
        log.warning("%s: its folder has a run on other data, which is not resumed.", run.key)
        record = checkpoint = None
    decision = decide(record, checkpoint is not None, resume, run.key)
    if decision == "measure" and checkpoint is not None and checkpoint.name != LAST:
        return "resume", checkpoint  # this one is from before the end of training
    return decision, checkpoint


def train(run: RunPlan, folder: RunFolder, checkpoint: Path | None, is_first: bool) -> None:
    """Build, fit, test, record."""
    from callbacks.build import build_loggers, build_probes, build_trainer
    from callbacks.finish import close, final_scalars, measure_data
    from callbacks.run_record import record_of
    from launchers.course import keep_course
    from launchers.load_data import load_data
    from lightning_modules.build import build_classifier

    config: DictConfig = run.config
    use_threads(choose_threads(run, folder.read()))
    data = load_data(run)
    for text in () if is_nonzero_rank() else data.warnings:
        folder.note(text)
    probes = build_probes(config)
    loggers = build_loggers(config, run.settings, folder)
    failed = True
    try:
        if config.model.network is None:
            note_devices(folder, devices=1)
            measure_data(data, probes, loggers, config.seed)
        else:
            module = build_classifier(config, data.spec)
            for text in () if is_nonzero_rank() else module.notes:
                note(folder, text)
            trainer = build_trainer(config, probes, loggers, folder, is_first)
            fit_and_test(config, trainer, module, data, folder, checkpoint)
        failed = False
    finally:
        if not is_nonzero_rank():
            keep_course(folder, loggers, config.standin)
        close(loggers, failed)
    if not is_nonzero_rank():
        scalars, epochs = final_scalars(loggers), record_of(loggers).rows.progress[0]
        succeed(folder, scalars, data.spec.as_dict(), list(data.notes), epochs)


def fit_and_test(
    config: DictConfig,
    trainer: "Trainer",
    module: "LightningModule",
    data: "LightningDataModule",
    folder: RunFolder,
    checkpoint: Path | None,
) -> None:
    """Train, then test and measure the last network or the best one."""
    from callbacks.best_network import use_selected
    from callbacks.checkpoint import restore_callbacks
    from callbacks.run_record import record_of
    from lightning_modules.layers.global_batch_norm import local_norms
    from metrics.functional.full_float32 import full_float32

    if trainer.is_global_zero:
        note_devices(folder, trainer.world_size)
        local = local_norms(module)
        if local and trainer.world_size > 1 and not config.trainer.sync_batchnorm:
            note(folder, LOCAL_NORM.format(local[0]))
    trainer.fit(module, datamodule=data, ckpt_path=checkpoint)
    record_of(trainer.loggers).reload()
    if trainer.world_size > 1:
        restore_callbacks(trainer, folder.checkpoints)
    tested = use_selected(trainer, module, config.select.name)
    if tested and trainer.is_global_zero:
        folder.update(tested=tested)
        note(folder, describe_tested(tested))
    with full_float32():
        trainer.test(module, datamodule=data, verbose=False)


def describe_tested(tested: dict[str, Any]) -> str:
    """Which network was tested, as a sentence.

    >>> facts = {"monitor": "validation/loss", "best_epoch": 7, "best_value": 0.25, "epoch": 17}
    >>> describe_tested({**facts, "network": "last"})
    'best validation/loss 0.25 after epoch 7; the last network is tested, of epoch 17 (...)'
    """
    if tested["best_value"] is None:
        return f"{tested['monitor']} was never measured; the last network is tested"
    best = "best {monitor} {best_value:.4g} after epoch {best_epoch}".format(**tested)
    of = f", of epoch {tested['epoch']}" if tested["network"] == "last" else ""
    if of and tested["best_epoch"] != tested["epoch"]:
        of += " (select=best tests the best one)"
    return f"{best}; the {tested['network']} network is tested{of}"
