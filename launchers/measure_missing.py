"""Repeat failed measurements of a finished run from its checkpoint, without training."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from omegaconf import DictConfig

from conf.run_plan import RunPlan
from launchers.threads import choose_threads, use_threads
from records.attempt import measured_again
from records.counted import counted
from records.failed_measurements import FAILED
from records.ranks import is_nonzero_rank
from records.run_folder import RunFolder

log = logging.getLogger(__name__)


def measure_missing(run: RunPlan, folder: RunFolder, checkpoint: Path) -> None:
    """Repeat the failed measurements that the checkpoint suffices for, and update the record.

    The record changes only at the end: the run stays finished, even if this fails.
    """
    try:
        _measure(run, folder, checkpoint)
    except Exception as error:
        if is_nonzero_rank():
            raise
        log.error("%s: the failed measurements could not be repeated: %s", run.key, error)


def _measure(run: RunPlan, folder: RunFolder, checkpoint: Path) -> None:
    from callbacks.build import build_probes
    from callbacks.measure_again import measurable

    failures = folder.own().get(FAILED, [])
    again = measurable(failures, build_probes(run.config))
    if lost := len(failures) - len(again):
        count = counted(lost, "measurement that failed", "measurements that failed")
        log.warning(
            "%s: %s during training cannot be repeated, because networks in the middle of training "
            "are not kept; resume=never trains again.",
            run.key,
            count,
        )
    if failures and not again:
        return
    if again:
        names = dict.fromkeys(str(one["probe"]) for one in again)
        log.info("%s: repeats failed measurements: %s.", run.key, ", ".join(names))
    take(run, folder, checkpoint, again)


def take(
    run: RunPlan,
    folder: RunFolder,
    checkpoint: Path,
    wanted: Sequence[Mapping[str, Any]],
    on_error: Literal["continue", "stop"] | None = None,
) -> None:
    """Take measurements of a finished run, from its checkpoint, and update its record.

    `wanted` has `probe`, `epoch` and `last` of each; `on_error` replaces `probes.on_error`.
    """
    from callbacks.best_network import moment_of
    from callbacks.build import build_loggers, build_probes, make_trainer
    from callbacks.finish import close, final_scalars
    from callbacks.measure_again import MeasureAgain
    from callbacks.progress import ProgressBar
    from callbacks.run_record import record_of
    from callbacks.wandb_replay import replay
    from launchers.load_data import load_data
    from lightning_modules.build import build_classifier

    config: DictConfig = run.config
    early, late = build_probes(config), build_probes(config)
    for probe in (*early, *late):
        probe.on_error = on_error or probe.on_error
    record = folder.own()
    tested = record.get("tested")
    use_threads(choose_threads(run, folder.read()))
    data = load_data(run)
    loggers = build_loggers(config, record["settings"], folder)  # without probes of measure=
    failed = True
    try:
        measured = record_of(loggers)
        measured.reload()
        measured.selected = moment_of(tested)
        replay(loggers)
        if wanted:
            callback = MeasureAgain(wanted, early, late, checkpoint, tested)
            callbacks = [ProgressBar(folder.path.name), callback]
            trainer = make_trainer(config, callbacks, loggers, folder, limit_test_batches=1)
            module = build_classifier(config, data.spec)
            trainer.test(module, datamodule=data, verbose=False)
        failed = False
    finally:
        close(loggers, failed)
    if not is_nonzero_rank():
        measured_again(folder, final_scalars(loggers))
