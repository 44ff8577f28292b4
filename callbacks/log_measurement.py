"""Log a measurement to every logger: its numbers, and the files beside them."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from pytorch_lightning.loggers import Logger, WandbLogger
from pytorch_lightning.utilities import rank_zero_only

from callbacks.run_record import RunRecord, record_of
from callbacks.subject import Measurement


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
    off_curve = {n for n, count in images.items() if min(record.rows.counts(n) | {count}) < count}
    record.log_metrics({**scalars, "epoch": epoch}, step, images)
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
    for part in filter(None, (measurement.curve_point, measurement)):
        gone = dict.fromkeys((n for n in part.absent if n in record.rows.names), math.nan)
        counts = dict.fromkeys(gone, max(part.images.values(), default=0)) | part.images
        log_scalars(loggers, part.scalars | gone, epoch, step, counts)


def keep_measurement(loggers: Iterable[Logger], measurement: Measurement, epoch: int) -> None:
    """Write arrays, tables and figures to the run folder; show figures and spectra in W&B too."""
    loggers = list(loggers)
    record = record_of(loggers)
    record.keep(measurement, epoch)
    for logger in loggers:
        if isinstance(logger, WandbLogger):
            _show_in_wandb(logger, record, measurement, epoch)


@rank_zero_only
def _show_in_wandb(
    logger: WandbLogger, record: RunRecord, measurement: Measurement, epoch: int
) -> None:
    import wandb

    shown: dict[str, Any] = {
        name: wandb.Image(str(record.picture(name))) for name in measurement.figures
    }
    for name, values in measurement.arrays.items():
        if "singular_values" in name and (values > 0).any():
            histogram = np.histogram(np.log(values[values > 0]), bins=64)
            name = name.replace("singular_values", "log_spectrum")
            shown[name] = wandb.Histogram(np_histogram=histogram)
    if shown:
        logger.experiment.log({**shown, "epoch": epoch})
