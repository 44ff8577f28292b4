"""The progress of a run, from its folder; fast enough to be read every second."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from records.curves import read_curves
from records.quantities import main_names
from records.reader import Record, read_record
from records.run_folder import RunFolder
from records.schema import BadRecordError
from records.status import FINISHED

SHOWN = {
    "train loss": "train/running_loss",
    "train accuracy": "train/running_accuracy",
    "test loss": "test/loss",
    "test accuracy": "test/accuracy",
}


@dataclass(frozen=True)
class RunState:
    """The current state of one run."""

    path: Path
    status: str  # one of `records.status.STATUSES`
    epoch: int = 0  # completed
    epochs: int = 0
    seconds: float = 0.0  # so far, or in total
    values: Mapping[str, float] = field(default_factory=dict)  # latest values for a table
    settings: Mapping[str, Any] | None = None  # None before it has started
    curves: Mapping[str, tuple[float, ...]] = field(default_factory=dict)  # of a run not finished
    error: str = ""  # its first line
    standin: bool = False
    changed: int = 0  # when its record was last written, in nanoseconds

    @property
    def left(self) -> float | None:
        """Seconds until a running run ends, at its speed so far; None before its first epoch."""
        if self.status != "running" or not self.epoch:
            return None
        return self.seconds / self.epoch * (self.epochs - self.epoch)


def run_state(path: Path) -> RunState:
    """The state of a run; without a record it is not started.

    A record is read again only if its modification time has changed.
    """
    folder = RunFolder(path)
    try:
        changed = folder.record_file.stat().st_mtime_ns
        record = _record(folder.record_file, changed)
    except OSError:
        return RunState(path, "not started")
    except BadRecordError as error:
        return RunState(path, "failed", error=f"record.json cannot be read: {error}")
    record = folder.with_present_status(record)
    numbers: dict[str, float] = record.get("scalars") or {}
    epochs = int(record["settings"].get("epochs") or 0)
    epoch = epochs
    curves: dict[str, tuple[float, ...]] = {}
    if record["status"] not in FINISHED:
        epoch, numbers, curves = _measured(folder.metrics_file)
    return RunState(
        path=path,
        status=record["status"],
        epoch=epoch,
        epochs=epochs,
        seconds=_seconds(record, numbers),
        values={
            heading: numbers[name]
            for heading, name in SHOWN.items()
            if numbers.get(name) is not None
        },
        curves=curves,
        error=(str(record.get("error") or "").splitlines() or [""])[0],
        standin=bool(record.get("standin")),
        settings=record["settings"],
        changed=changed,
    )


@lru_cache(maxsize=65536)
def _record(file: Path, changed: int) -> Record:
    record = read_record(file, ("status", "settings"))
    kept = ("status", "scalars", "error", "standin", "settings", "sessions", "finished")
    return {name: record.get(name) for name in kept}


def _seconds(record: Mapping[str, Any], numbers: Mapping[str, float]) -> float:
    """Wall-clock time of a run that was never interrupted; else the sum of its timings."""
    timed = sum(v for name, v in numbers.items() if name.startswith("time/") and v)
    try:
        (session,) = record["sessions"]
        start = datetime.fromisoformat(session["started"])
        finished = record["finished"]
        end = datetime.fromisoformat(finished) if finished else datetime.now(UTC)
        return max(timed, (end - start).total_seconds())
    except (ValueError, TypeError, KeyError):  # several sessions, or a damaged one
        return timed


def _measured(file: Path) -> tuple[int, dict[str, float], dict[str, tuple[float, ...]]]:
    """Completed epochs, the last value of every number, and the main numbers over epochs."""
    try:
        found = read_curves(file)
    except (OSError, ValueError):  # damaged, or just being replaced
        return 0, {}, {}
    last = found.last()
    main = [name for name in main_names(list(last)) if not name.startswith("data/")]
    course = found.course()
    curves = {name: tuple(course.value[course.name == name].tolist()) for name in main}
    return int(found.epoch.max(initial=0)), last, curves
