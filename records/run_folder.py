"""`runs/<name>/<key>/`: the record of one run, which is the truth about it."""

import contextlib
import json
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from records.atomic import write_text
from records.lock import Lock

Record = dict[str, Any]


class RunFolder:
    """Reads and writes one run's folder; every write is atomic.

    Args:
        path: the folder; made when first written to.
        say: gets a sentence when something had to be set aside.
    """

    def __init__(self, path: Path, say: Callable[[str], None] = print) -> None:
        self.path = path
        self.say = say
        self.record_file = path / "record.json"
        self.metrics_file = path / "metrics.csv"
        self.traceback_file = path / "traceback.txt"
        self.checkpoints = path / "checkpoints"
        self.arrays = path / "arrays"
        self.figures = path / "figures"

    def lock(self) -> Lock:
        """The right to write here; waits, saying for whom."""
        return Lock(
            self.path / "lock",
            on_wait=lambda holder: self.say(f"{self.path.name}: held by {holder}; waiting."),
        )

    def is_held(self) -> bool:
        """Whether some process has the lock."""
        return self.lock().is_held()

    def read(self) -> Record | None:
        """The record, `judged`; None where there is none, or where it cannot be read."""
        try:
            record = json.loads(self.record_file.read_text())
            if not isinstance(record, dict):
                raise ValueError("not a JSON object")
        except FileNotFoundError:
            return None
        except ValueError:
            return None
        return self.judged(record)

    def judged(self, record: Record) -> Record:
        """A record as it would stand, had its writer lived to write it.

        When rank 1 fails, Lightning kills rank 0, and the record is left running: then the reason
        is in the traceback that rank 1 has left.
        """
        if record.get("status") != "running":
            return record
        for file in sorted(self.path.glob("traceback-rank*.txt")):
            with contextlib.suppress(OSError, IndexError):
                rank = file.stem.removeprefix("traceback-rank")
                reason = f"rank {rank}: {file.read_text().splitlines()[0]}"
                if not self.is_held():
                    return {**record, "status": "failed", "error": reason, "bad_data": False}
        return record

    def tracebacks(self) -> list[Path]:
        """What the ranks that failed in the last attempt have left."""
        return sorted(self.path.glob("traceback*.txt"))

    def set_aside_if_broken(self) -> None:
        """Keep a record that cannot be read under another name, and say so. Needs the lock."""
        if self.record_file.exists() and self.read() is None:
            aside = self.record_file.with_name("record.broken.json")
            self.record_file.replace(aside)
            self.say(f"{self.path.name}: record.json could not be read; kept as {aside.name}.")

    @property
    def status(self) -> str:
        """`new`, `running` (or killed while so), `done` or `failed`."""
        return (self.read() or {}).get("status", "new")

    def update(self, **changes: Any) -> Record:
        """Write the record with some entries changed."""
        record = {**(self.read() or {}), **changes}
        write_text(self.record_file, json.dumps(record, indent=1, default=str))
        return record

    def note(self, text: str) -> None:
        """Add a remark to the record: what was left out, what failed on the way."""
        notes = (self.read() or {}).get("notes", [])
        self.update(notes=[*notes, text])

    def clear(self) -> None:
        """Forget everything but the lock: the run starts from nothing."""
        for item in self.path.iterdir() if self.path.is_dir() else ():
            if item.name != "lock":
                shutil.rmtree(item) if item.is_dir() else item.unlink()


def now(precision: str = "seconds") -> str:
    """UTC, as records have it."""
    return datetime.now(UTC).isoformat(timespec=precision)
