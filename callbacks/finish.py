"""The end of a run: final numbers, closing the loggers; and runs without a network."""

from pytorch_lightning.loggers import Logger, WandbLogger

from callbacks.probe import Probe
from callbacks.run_record import record_of
from callbacks.subject import Data, Subject


def measure_data(data: Data, probes: list[Probe], loggers: list[Logger], seed: int) -> None:
    """`model=none`: take the measurements that need only the data."""
    for probe in probes:
        if not probe.needs_network:
            probe.measure_and_log(Subject(data=data, seed=seed), loggers, step=0)
    record_of(loggers).save()


def final_scalars(loggers: list[Logger]) -> dict[str, float | None]:
    """The final numbers of metrics.csv, which rank 0 may have written in another process."""
    record = record_of(loggers)
    record.reload()
    return record.scalars()


def close(loggers: list[Logger], failed: bool) -> None:
    """Close the loggers: without `finish` the next run would log into this W&B run.

    W&B's summary gets the final numbers of the record, because some curves are of fewer images.
    """
    final = {n: v for n, v in record_of(loggers).scalars().items() if v is not None}
    for logger in loggers:
        if isinstance(logger, WandbLogger):
            logger.experiment.summary.update(final)
            logger.experiment.finish(exit_code=int(failed))
