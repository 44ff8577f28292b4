"""Repeat failed measurements of a finished run from its checkpoint, without training."""

import logging
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

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
    """Repeat failed measurements, as far as the checkpoint suffices, and update the record.

    Until the end the record does not change: a finished run stays finished, whatever happens here.
    """
    try:
        measure(run, folder, checkpoint)
    except Exception as error:
        if is_nonzero_rank():
            raise
        log.error("%s: could not be measured again: %s", run.key, error)


def measure(run: RunPlan, folder: RunFolder, checkpoint: Path) -> None:
    """See `measure_missing`."""
    from callbacks.build import build_loggers, build_probes, make_trainer
    from callbacks.finish import close, final_scalars, reload
    from callbacks.measure_again import MeasureAgain, measurable
    from callbacks.progress import ProgressBar
    from callbacks.wandb_replay import replay
    from launchers.load_data import load_data
    from lightning_modules.build import build_classifier

    config: DictConfig = run.config
    failures = folder.own().get(FAILED, [])
    early, late = build_probes(config), build_probes(config)
    again = measurable(failures, early)
    if lost := len(failures) - len(again):
        count = counted(lost, "measurement that failed", "measurements that failed")
        lines = "%s: %s during training cannot be taken again; resume=never trains anew."
        log.warning(lines, run.key, count)
    if failures and not again:
        return
    use_threads(choose_threads(run, folder.read()))
    data = load_data(run)
    loggers = build_loggers(config, run.settings, folder)
    failed = True
    try:
        reload(loggers)
        replay(loggers)
        if again:
            log.info("%s: measures again what failed: %s.", run.key, ", ".join(names(again)))
            callback = MeasureAgain(again, early, late, checkpoint)
            callbacks = [ProgressBar(folder.path.name), callback]
            trainer = make_trainer(config, callbacks, loggers, folder, limit_test_batches=1)
            module = build_classifier(config, data.spec)
            trainer.test(module, datamodule=data, verbose=False)
        failed = False
    finally:
        close(loggers, failed)
    if not is_nonzero_rank():
        measured_again(folder, final_scalars(loggers))


def names(failures: Iterable[Mapping[str, Any]]) -> list[str]:
    """The probes of some failures, each once."""
    return list(dict.fromkeys(str(one["probe"]) for one in failures))
