"""What the record of a resumed run has and W&B has not: a killed process takes W&B's tail along."""

import logging
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Any

from PIL import Image
from pytorch_lightning.loggers import Logger, WandbLogger
from pytorch_lightning.utilities import rank_zero_only

from callbacks.run_record import Row, RunRecord, record_of

log = logging.getLogger(__name__)

SUPERSEDED = "superseded"


@rank_zero_only
def replay(loggers: Iterable[Logger]) -> None:
    """Log the rows and the latest figures of the record to W&B, where it does not have them.

    An offline file begins empty in every session, and is complete after this: `set_aside` moves
    those of earlier sessions away. On a server the rows that were uploaded are looked up.
    """
    loggers = list(loggers)
    record = record_of(loggers)
    for logger in loggers:
        if isinstance(logger, WandbLogger):
            known = uploaded(logger.experiment)
            for row in missing_rows(record, known):
                logger.log_metrics(row[1], step=row[0])
            if not known:
                replay_figures(record.folder.figures, logger)


def missing_rows(
    record: RunRecord, known: set[tuple[int, str]]
) -> list[tuple[int, dict[str, float]]]:
    """Step and numbers of every moment of the record, without what is known at its epoch."""

    def moment(row: Row) -> tuple[int, int]:
        return row[0], row[1]

    found = []
    for (epoch, step), rows in groupby(record.course(), moment):
        numbers = {row[2]: row[3] for row in rows if (epoch, row[2]) not in known}
        if numbers:
            found.append((step, numbers | {"epoch": epoch}))
    return found


def replay_figures(folder: Path, logger: WandbLogger) -> None:
    """Log the figures of a run under the names that their files carry."""
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
    """Epoch and name of every number that the server of a W&B run has; of an offline run none."""
    if run.offline or not run.resumed:
        return set()
    import wandb

    try:
        rows = list(wandb.Api(timeout=10).run(run.path).scan_history())
    except Exception as error:  # a number twice is better than a number lost
        log.warning("W&B did not say what it has (%s); all rows are logged again.", error)
        return set()
    return {
        (int(row["epoch"]), name)
        for row in rows
        for name, value in row.items()
        if row.get("epoch") is not None and value is not None
    }


def set_aside(folder: Path) -> None:
    """Move the offline files of earlier sessions to `superseded`, before a session begins.

    Its own file will hold all that they hold: `wandb sync` of both would log every number twice.

    Args:
        folder: W&B's own, in the run folder.
    """
    for old in sorted(folder.glob("offline-run-*")):
        (folder / SUPERSEDED).mkdir(exist_ok=True)
        old.rename(folder / SUPERSEDED / old.name)
