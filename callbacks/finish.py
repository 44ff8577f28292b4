"""The end of a run: measurements that need no training, and closing what was opened."""

from typing import Any

from pytorch_lightning.loggers import Logger, WandbLogger

from callbacks.probe import Probe
from callbacks.run_record import log_measurement, record_of
from callbacks.subject import Subject


def measure_data(data: Any, probes: list[Probe], loggers: list[Logger], seed: int) -> None:
    """`model=none`: take the measurements that look at the data only."""
    for probe in probes:
        if not probe.needs_network:
            measurement = probe.take(Subject(data=data, seed=seed), record_of(loggers).note)
            if measurement is not None:
                log_measurement(loggers, measurement, epoch=0, step=0)
    record_of(loggers).save()


def final_scalars(loggers: list[Logger]) -> dict[str, float | None]:
    """The final numbers, as they stand in metrics.csv."""
    reload(loggers)
    return record_of(loggers).scalars()


def reload(loggers: list[Logger]) -> None:
    """Take what rank 0 has written, where training ran in processes of its own."""
    record_of(loggers).reload()


def close(loggers: list[Logger], failed: bool) -> None:
    """Without `finish` the next job would log into this W&B run."""
    for logger in loggers:
        if isinstance(logger, WandbLogger):
            logger.experiment.finish(exit_code=int(failed))
