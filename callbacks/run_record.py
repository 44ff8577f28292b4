"""The run folder as a Lightning logger: one row of metrics.csv per measured number."""

import csv
import io
import logging
import math
import time
from argparse import Namespace
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytorch_lightning as pl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from pyarrow import parquet
from pytorch_lightning.loggers import Logger
from pytorch_lightning.utilities import rank_zero_only

from callbacks.subject import Measurement
from records.arrow_table import arrow_table
from records.atomic import replacing, write_text
from records.attempt import LOSSES, note
from records.curves import COLUMNS, read_curves
from records.failed_measurements import FAILED, add_failure, remove_failure
from records.measured_rows import MeasuredRows, Row
from records.run_folder import RunFolder

log = logging.getLogger(__name__)

FLUSH_SECONDS = 2.0  # between writes: one per epoch would slow down short epochs


class RunRecord(Logger):
    """Writes `metrics.csv` (epoch, step, name, value, images): one row per measurement.

    A number measured again at the same epoch on as many images replaces the first, so a resumed run
    has no duplicates. Every checkpoint has the rows too, and a resumed run starts with those. Rows
    are sorted by epoch; at the last epoch the number on all images follows the number on the
    images of the curve.
    """

    def __init__(self, folder: RunFolder) -> None:
        super().__init__()
        self.folder = folder
        self.rows = MeasuredRows()
        self.selected: tuple[int, int] | None = None  # epoch and step, if not of the last network
        self.not_measured: int | None = None  # last epoch of a shorter run that this one continues
        self._flushed = 0.0
        self._written: tuple[int, ...] = ()  # identifies the metrics.csv that this process wrote

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
        """Nothing to do: record.json has the settings."""

    @rank_zero_only
    def log_metrics(
        self,
        metrics: Mapping[str, float],
        step: int | None = None,
        images: Mapping[str, int] | None = None,
    ) -> None:
        """Add a row for every number; `metrics` has the epoch too, `images` the images of each."""
        epoch = int(metrics.get("epoch", 0))
        for name, value in metrics.items():
            if name != "epoch":
                count = (images or {}).get(name, 0)
                self.rows.add(Row(epoch, int(step or 0), name, float(value), count))
        if time.monotonic() - self._flushed > FLUSH_SECONDS:
            self.save()

    @rank_zero_only
    def save(self) -> None:
        """Write metrics.csv, atomically.

        Raises:
            RecordLostError: the run folder was removed, moved or damaged during the run.
        """
        self.folder.check()
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows((e, s, n, repr(v), i) for e, s, n, v, i in self.rows)
        write_text(self.folder.metrics_file, text.getvalue())
        self._written = self._version_of_file()
        self._flushed = time.monotonic()

    def _version_of_file(self) -> tuple[int, ...]:
        try:
            found = self.folder.metrics_file.stat()
        except OSError:
            return ()
        return (found.st_ino, found.st_mtime_ns, found.st_size)

    @rank_zero_only
    def finalize(self, status: str) -> None:
        """Write the rows; Lightning calls it at the end of a stage."""
        self.save()

    @rank_zero_only
    def keep(self, measurement: Measurement, epoch: int) -> None:
        """Write a measurement's arrays, tables and figures into the run folder."""
        for name, array in measurement.arrays.items():
            path = self.folder.arrays / f"{name.replace('/', '_')}@{epoch}.npz"
            with replacing(path) as temporary, temporary.open("wb") as file:
                named: dict[str, Any] = {name.rpartition("/")[2]: array}
                np.savez_compressed(file, **named)
        for name, columns in measurement.tables.items():
            with replacing(self.folder.path / f"{name}.parquet") as temporary:
                parquet.write_table(arrow_table(columns), temporary)
        for name, figure in measurement.figures.items():
            with replacing(self.picture(name)) as temporary:
                title = {"Title": name}  # `callbacks.wandb_replay` reads it
                fast = {"compress_level": 1}  # the usual 6 takes a quarter of the time of drawing
                figure.dpi = 150
                canvas: Any = FigureCanvasAgg(figure)  # `savefig` draws twice
                canvas.print_png(temporary, metadata=title, pil_kwargs=fast)

    def picture(self, name: str) -> Path:
        """The file of a figure."""
        return self.folder.figures / f"{name.replace('/', '_')}.png"

    def scalars(self) -> dict[str, float | None]:
        """The final numbers, of the network that was selected; None for NaN and infinities."""
        return self.rows.scalars(self.selected_epoch)

    @property
    def selected_epoch(self) -> int | None:
        """The epoch of the selected network; None for the last."""
        return self.selected[0] if self.selected else None

    @rank_zero_only
    def fail(self, probe: str, epoch: int, last: bool, text: str) -> None:
        """Report a failed measurement, and add it to the record."""
        log.warning("%s: %s", self.folder.path.name, text)
        add_failure(self.folder, probe, epoch, last, text)

    @rank_zero_only
    def note(self, text: str) -> None:
        """Report a remark on a measurement, and add it to the record."""
        note(self.folder, text)

    @rank_zero_only
    def succeed(self, probe: str, epoch: int) -> None:
        """Remove the recorded failure of a measurement that now succeeded, if there is one.

        Its numbers are on disk before the failure is removed.
        """
        if any(one["probe"] == probe for one in (self.folder.read() or {}).get(FAILED, [])):
            self.save()
            remove_failure(self.folder, probe, epoch)

    @property
    def has_diverged(self) -> bool:
        """Whether the latest training or test loss is NaN or infinite."""
        losses = [self.rows.final(name, self.selected_epoch) for name in LOSSES]
        return any(loss is not None and not math.isfinite(loss) for loss in losses)

    def reload(self) -> None:
        """Read the rows that another process (rank 0 of a forked training) has written."""
        if self._written == self._version_of_file():
            return  # unchanged; reading takes 0.2 s of imports
        found = read_curves(self.folder.metrics_file)
        columns = (column.tolist() for column in vars(found).values())
        if len(found.name):
            self._take(zip(*columns, strict=True))

    def restore(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Restore the rows of a checkpoint; later rows are dropped, to be measured again."""
        self._take(rows)
        self.save()

    def _take(self, rows: Iterable[tuple[Any, ...]]) -> None:
        self.rows = MeasuredRows(Row(*row) for row in rows)


def record_of(loggers: Iterable[Logger]) -> RunRecord:
    """The run record among the loggers."""
    return next(logger for logger in loggers if isinstance(logger, RunRecord))


def progress_of(trainer: pl.Trainer) -> tuple[int, int]:
    """Epochs and steps of the network measured at the end, as rank 0 knows them.

    Another rank may read metrics.csv before rank 0 has written it.
    """
    record = record_of(trainer.loggers)
    epochs, steps = trainer.strategy.broadcast(record.selected or record.rows.progress)
    return epochs, steps
