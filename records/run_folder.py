"""The folder of one run, `runs/<name>/<key>/`, and its record."""

import contextlib
import json
import logging
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from records.atomic import write_text
from records.lock import Lock
from records.printable import printable
from records.reader import LARGEST, Record, read_bytes, read_record
from records.schema import BadRecordError
from records.status import status_of

log = logging.getLogger(__name__)

DISCARDED = ".discarded"


class RecordLostError(Exception):
    """The record of a run was removed or damaged during the run."""


class RunFolder:
    """Reads and writes the folder of one run; every write is atomic, the first creates it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.record_file = path / "record.json"
        self.metrics_file = path / "metrics.csv"
        self.traceback_file = path / "traceback.txt"
        self.checkpoints = path / "checkpoints"
        self.arrays = path / "arrays"
        self.figures = path / "figures"
        self.written: Record | None = None  # last record written by this process

    def lock(self) -> Lock:
        """The lock for writing; it waits for another process and reports which."""
        return Lock(
            self.path / "lock",
            on_wait=lambda holder: log.info("%s: held by %s; waiting.", self.path.name, holder),
        )

    def is_held(self) -> bool:
        """Whether a process holds the lock."""
        return self.lock().is_held()

    def read(self) -> Record | None:
        """The record, `with_rank_failures`; None if there is none or it cannot be read."""
        try:
            return self.with_rank_failures(read_record(self.record_file, ("status", "settings")))
        except (FileNotFoundError, BadRecordError):
            return None

    def with_rank_failures(self, record: Record) -> Record:
        """The record, changed to `failed` if another rank has failed.

        When rank 1 fails, Lightning kills rank 0, and the status of the record stays `running`; the
        reason is in the traceback of rank 1.
        """
        if record.get("status") != "running":
            return record
        for file in sorted(self.path.glob("traceback-rank*.txt")):
            with contextlib.suppress(OSError, IndexError, BadRecordError):
                rank = file.stem.removeprefix("traceback-rank")
                text = read_bytes(file, LARGEST).decode(errors="replace")
                reason = f"rank {rank}: {text.splitlines()[0]}"
                if not self.is_held():
                    return {**record, "status": "failed", "error": reason, "bad_data": False}
        return record

    def with_present_status(self, record: Record) -> Record:
        """The record of this folder, of which a rank may have failed or all have been killed."""
        record = self.with_rank_failures(record)
        is_held = record["status"] == "running" and self.is_held()
        return {**record, "status": status_of(record, is_held)}

    def tracebacks(self) -> list[Path]:
        """Traceback files of the ranks that failed in the last attempt."""
        return sorted(self.path.glob("traceback*.txt"))

    def set_aside_if_broken(self) -> None:
        """Rename and report a record that cannot be read. Needs the lock."""
        if self.record_file.exists() and self.read() is None:
            aside = self.record_file.with_name("record.broken.json")
            self.record_file.replace(aside)
            log.warning(
                "%s: record.json could not be read; kept as %s.", self.path.name, aside.name
            )

    def own(self) -> Record:
        """The record of a run that this process executes; RecordLostError if it was lost."""
        record = self.read()
        if record is None:
            raise RecordLostError(
                f"{self.record_file} was removed, moved or damaged during the run; its "
                "folder is incomplete, and the same command restarts the run."
            )
        return record

    def check(self) -> None:
        """Raise RecordLostError if the record that this process has written is lost."""
        if self.written is not None:
            self.own()

    def write(self, record: Record) -> None:
        """Write a whole record."""
        self.written = record
        text = json.dumps(printable(record), indent=1, default=lambda one: printable(str(one)))
        write_text(self.record_file, text)

    def update(self, **changes: Any) -> None:
        """Write the record with some entries changed."""
        self.write({**self.own(), **changes})

    def note(self, text: str) -> None:
        """Add a note to the record, unless it has it already."""
        notes = self.own().get("notes", [])
        if printable(text) not in notes:
            self.update(notes=[*notes, text])

    def clear(self) -> None:
        """Remove everything but the lock, for a restart.

        First the checkpoints, in one step, then the record: whenever this is killed, there is never
        a record without its numbers nor a checkpoint without its record.
        """
        self.discard_checkpoints()
        self.record_file.unlink(missing_ok=True)
        for item in self.path.iterdir() if self.path.is_dir() else ():
            if item.name != "lock":
                shutil.rmtree(item) if item.is_dir() else item.unlink()

    def remove_temporary_files(self) -> None:
        """Remove temporary files of killed writers. Needs the lock."""
        for folder in (self.path, self.checkpoints, self.arrays, self.figures):
            for half in folder.glob(".*.tmp"):
                half.unlink()

    def remove_if_empty(self) -> None:
        """Remove the folder if it contains nothing but the lock."""
        if self.path.is_dir() and {item.name for item in self.path.iterdir()} <= {"lock"}:
            shutil.rmtree(self.path)

    def discard_checkpoints(self) -> None:
        """Remove the checkpoints in one step, so that none is resumed from if this is killed."""
        discarded = self.path / DISCARDED
        shutil.rmtree(discarded, ignore_errors=True)  # left by a killed attempt
        if self.checkpoints.is_dir():
            self.checkpoints.rename(discarded)
            shutil.rmtree(discarded)


def now(precision: str = "seconds") -> str:
    """UTC, in the format of records."""
    return datetime.now(UTC).isoformat(timespec=precision)
