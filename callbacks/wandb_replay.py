"""Log to W&B what it lacks of a resumed run: a killed process loses the last rows in W&B."""

import logging
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Any

from PIL import Image
from pytorch_lightning.loggers import Logger, WandbLogger
from pytorch_lightning.utilities import rank_zero_only

from callbacks.run_record import RunRecord, record_of

log = logging.getLogger(__name__)

SUPERSEDED = "superseded"


@rank_zero_only
def replay(loggers: Iterable[Logger]) -> None:
    """Log the rows and the latest figures of the record to W&B, if it does not have them.

    An offline file is empty at the start of every session, and complete after this; `set_aside`
    moves the files of earlier sessions away. A server is asked which rows it has.
    """
    loggers = list(loggers)
    record = record_of(loggers)
    for logger in loggers:
        if isinstance(logger, WandbLogger):
            known = uploaded(logger.experiment)
            for step, numbers in missing_rows(record, known):
                logger.log_metrics(numbers, step=step)
            if not known:
                replay_figures(record.folder.figures, logger)


def missing_rows(
    record: RunRecord, known: set[tuple[int, str]]
) -> list[tuple[int, dict[str, float]]]:
    """Step and numbers of every epoch of the record, without those that W&B has."""
    found = []
    for (epoch, step), rows in groupby(record.rows.course(), lambda row: (row.epoch, row.step)):
        numbers = {row.name: row.value for row in rows if (epoch, row.name) not in known}
        if numbers:
            found.append((step, numbers | {"epoch": epoch}))
    return found


def replay_figures(folder: Path, logger: WandbLogger) -> None:
    """Log the figures of a run under the titles in their files."""
    for path in sorted(folder.glob("*.png")):
        try:
            with Image.open(path, formats=["PNG"]) as picture:
                name = picture.info.get("Title")
        except (OSError, ValueError) as error:
            log.warning("%s: left out of W&B: %s", path, error)
            continue
        if name:
            logger.log_image(key=str(name), images=[str(path)])


def uploaded(run: Any) -> set[tuple[int, str]]:
    """Epoch and name of every number that the W&B server has; none for an offline run."""
    if run.offline or not run.resumed:
        return set()
    import wandb

    try:
        rows = list(wandb.Api(timeout=10).run(run.path).scan_history())
    except Exception as error:  # a number twice is better than a number lost
        log.warning("W&B cannot list its rows (%s); all are logged again.", error)
        return set()
    return {
        (int(row["epoch"]), name)
        for row in rows
        for name, value in row.items()
        if row.get("epoch") is not None and value is not None
    }


def set_aside(folder: Path) -> None:
    """Move the offline files of earlier sessions to `superseded`, before a session begins.

    The new file will have all of their numbers: `wandb sync` of both would log them twice. `folder`
    is `wandb` in the run folder.
    """
    for old in sorted(folder.glob("offline-run-*")):
        (folder / SUPERSEDED).mkdir(exist_ok=True)
        old.rename(folder / SUPERSEDED / old.name)
