"""The run folder as a Lightning logger: every number, one name, one row."""

import csv
import io
import math
import time
from argparse import Namespace
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pytorch_lightning as pl
from pytorch_lightning.loggers import Logger, WandbLogger
from pytorch_lightning.utilities import rank_zero_only

from callbacks.subject import Measurement
from records.atomic import replacing, write_text
from records.run_folder import RunFolder

Row = tuple[int, int, str, float]  # epoch, step, name, value
FLUSH_SECONDS = 2.0  # a file a few seconds old is live enough, and a write per epoch is not free


class RunRecord(Logger):
    """Keeps `metrics.csv` (epoch, step, name, value): one row per measurement.

    A number measured again at the same epoch replaces the first, so a resumed run leaves no
    duplicates. The rows are also in every checkpoint, which is what a resumed run starts from.

    Args:
        folder: of the run.
    """

    def __init__(self, folder: RunFolder) -> None:
        super().__init__()
        self.folder = folder
        self.rows: dict[tuple[int, str], Row] = {}
        self._flushed = 0.0

    @property
    def name(self) -> str:
        """The experiment's folder."""
        return self.folder.path.parent.name

    @property
    def version(self) -> str:
        """The run's key."""
        return self.folder.path.name

    @rank_zero_only
    def log_hyperparams(self, params: dict[str, Any] | Namespace, *_: Any, **__: Any) -> None:
        """Settings are in record.json already."""

    @rank_zero_only
    def log_metrics(self, metrics: Mapping[str, float], step: int | None = None) -> None:
        """Add a row for every number; `epoch` says when."""
        epoch = int(metrics.get("epoch", 0))
        for name, value in metrics.items():
            if name != "epoch":
                self.rows[epoch, name] = (epoch, int(step or 0), name, float(value))
        if time.monotonic() - self._flushed > FLUSH_SECONDS:
            self.save()

    @rank_zero_only
    def save(self) -> None:
        """Write metrics.csv, atomically."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(("epoch", "step", "name", "value"))
        writer.writerows((e, s, n, repr(v)) for e, s, n, v in self.rows.values())
        write_text(self.folder.metrics_file, text.getvalue())
        self._flushed = time.monotonic()

    @rank_zero_only
    def finalize(self, status: str) -> None:
        """Lightning is through with a stage."""
        self.save()

    @rank_zero_only
    def keep(self, measurement: Measurement, epoch: int) -> None:
        """Write a measurement's arrays and figures into the run folder."""
        for name, array in measurement.arrays.items():
            path = self.folder.arrays / f"{name.replace('/', '_')}@{epoch}.npz"
            with replacing(path) as temporary, temporary.open("wb") as file:
                np.savez_compressed(file, **{name.rpartition("/")[2]: array})
        for name, figure in measurement.figures.items():
            path = self.folder.figures / f"{name.replace('/', '_')}.png"
            with replacing(path) as temporary:
                figure.savefig(temporary, format="png", dpi=150)

    def scalars(self) -> dict[str, float | None]:
        """The latest value of every number; None for NaN and infinities."""
        latest: dict[str, tuple[int, float]] = {}
        for epoch, _, name, value in self.rows.values():
            if name not in latest or epoch >= latest[name][0]:
                latest[name] = (epoch, value)
        return {name: v if math.isfinite(v) else None for name, (_, v) in sorted(latest.items())}

    def known(self, names: Iterable[str]) -> set[str]:
        """Those that have a value: what is gone now must not stand as the latest."""
        return set(names) & {row[2] for row in self.rows.values()}

    @rank_zero_only
    def note(self, text: str) -> None:
        """A remark for the record, and for whoever is watching."""
        self.folder.say(text)
        self.folder.note(text)

    @property
    def progress(self) -> tuple[int, int]:
        """Completed epochs and steps, as logged: a forked trainer's own counters stay behind."""
        rows = [row for row in self.rows.values() if row[2] == "train/running_loss"]
        return (rows[-1][0], rows[-1][1]) if rows else (0, 0)

    def reload(self) -> None:
        """Take the rows that another process (rank 0 of a forked training) has written."""
        if self.folder.metrics_file.exists():
            with self.folder.metrics_file.open() as file:
                rows = list(csv.reader(file))[1:]
            self.rows = {(int(e), n): (int(e), int(s), n, float(v)) for e, s, n, v in rows}

    def state(self) -> list[Row]:
        """The rows, as plain containers for a checkpoint."""
        return list(self.rows.values())

    def restore(self, rows: Iterable[Row]) -> None:
        """Take the rows of a checkpoint; what came after it is measured again."""
        self.rows = {(row[0], row[2]): (row[0], row[1], row[2], row[3]) for row in rows}
        self.save()


def log_scalars(
    loggers: Iterable[Logger], scalars: Mapping[str, float], epoch: int, step: int
) -> None:
    """The same numbers under the same names to the record and to W&B."""
    for logger in loggers:
        logger.log_metrics({**scalars, "epoch": epoch}, step=step)


def log_measurement(
    loggers: Iterable[Logger], measurement: Measurement, epoch: int, step: int
) -> None:
    """Numbers to every logger, arrays and figures to the run folder, figures to W&B too.

    A number that was there before and is gone (the second mode of a spectrum) is NaN from now on.
    """
    loggers = list(loggers)
    gone = dict.fromkeys(record_of(loggers).known(measurement.absent), math.nan)
    log_scalars(loggers, measurement.scalars | gone, epoch, step)
    for logger in loggers:
        if isinstance(logger, RunRecord):
            logger.keep(measurement, epoch)
        elif isinstance(logger, WandbLogger):
            for name, figure in measurement.figures.items():
                logger.log_image(key=name, images=[figure], step=None)


def record_of(loggers: Iterable[Logger]) -> RunRecord:
    """The run record among the loggers."""
    return next(logger for logger in loggers if isinstance(logger, RunRecord))


def progress_of(trainer: pl.Trainer) -> tuple[int, int]:
    """Completed epochs and steps of a run, as rank 0 has them: other ranks may read too early."""
    return tuple(trainer.strategy.broadcast(record_of(trainer.loggers).progress))
