"""Log a measurement to every logger: its numbers, and the files beside them."""

import math
from collections.abc import Iterable, Mapping

from pytorch_lightning.loggers import Logger, WandbLogger

from callbacks.run_record import record_of
from callbacks.subject import Measurement
from callbacks.wandb_media import show_in_wandb


def log_scalars(
    loggers: Iterable[Logger],
    scalars: Mapping[str, float],
    epoch: int,
    step: int,
    images: Mapping[str, int] | None = None,
) -> None:
    """Log the same numbers under the same names to the record and to W&B.

    A final number on more images than the earlier points of its curve is not a point of that curve:
    W&B shows it in the summary only (`callbacks.finish.close`).
    """
    loggers, images = list(loggers), images or {}
    record = record_of(loggers)
    off_curve = {n for n, count in images.items() if min(record.counts(n) | {count}) < count}
    record.add({**scalars, "epoch": epoch}, step, images)
    curves = {name: value for name, value in scalars.items() if name not in off_curve}
    for logger in loggers:
        if logger is not record and curves:
            logger.log_metrics({**curves, "epoch": epoch}, step=step)


def log_measurement(
    loggers: Iterable[Logger], measurement: Measurement, epoch: int, step: int
) -> None:
    """Log the numbers to every logger, after `keep_measurement` has written the files.

    The point of the curve is logged before the number on all images. A number that was logged
    before and is now absent (the second mode of a spectrum) is NaN from now on.
    """
    loggers = list(loggers)
    record = record_of(loggers)
    for part in filter(None, (measurement.course, measurement)):
        gone = dict.fromkeys(record.known(part.absent), math.nan)
        counts = dict.fromkeys(gone, max(part.images.values(), default=0)) | part.images
        log_scalars(loggers, part.scalars | gone, epoch, step, counts)


def keep_measurement(loggers: Iterable[Logger], measurement: Measurement, epoch: int) -> None:
    """Write arrays, tables and figures to the run folder; show figures and spectra in W&B too."""
    loggers = list(loggers)
    record = record_of(loggers)
    record.keep(measurement, epoch)
    for logger in loggers:
        if isinstance(logger, WandbLogger):
            pictures = {name: record.picture(name) for name in measurement.figures}
            show_in_wandb(logger, pictures, measurement.arrays, epoch)
