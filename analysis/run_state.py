"""How far a run has come, from its folder alone: cheap enough to ask every second."""

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from records.run_folder import RunFolder

Status = Literal["running", "stopped", "failed", "not started", "done"]
SHOWN = {
    "train loss": "train/running_loss",
    "train accuracy": "train/running_accuracy",
    "test loss": "test/loss",
    "test accuracy": "test/accuracy",
}


@dataclass(frozen=True)
class RunState:
    """One run, now.

    `stopped` is a record that says running while no process holds the folder's lock: the run was
    killed, and its command would go on with it.
    """

    path: Path
    status: Status
    epoch: int = 0  # completed
    epochs: int = 0
    seconds: float = 0.0  # of training and measuring so far
    values: Mapping[str, float] = field(default_factory=dict)  # the latest of what a table shows
    settings: Mapping[str, Any] | None = None  # None: not known before it has begun
    error: str = ""  # its first line
    standin: bool = False
    changed: int = 0  # when its record was last written, in nanoseconds

    @property
    def left(self) -> float | None:
        """Seconds until a running run ends, at its pace so far; None before its first epoch."""
        if self.status != "running" or not self.epoch:
            return None
        return self.seconds / self.epoch * (self.epochs - self.epoch)


def run_state(path: Path) -> RunState:
    """The state of a run folder; one without a record is not started.

    A finished record is read once: it does not change any more without its time doing so.
    """
    file = path / "record.json"
    try:
        changed = file.stat().st_mtime_ns
    except OSError:
        return RunState(path, "not started")
    record = _record(file, changed)
    if record is None:
        return RunState(path, "failed", error="record.json cannot be read")
    record = RunFolder(path).judged(record)
    status: Status = record["status"]
    numbers: dict[str, float] = record.get("scalars") or {}
    if status == "running":
        status = "running" if RunFolder(path).lock().is_held() else "stopped"
    epoch = 0
    if status != "done":
        epoch, numbers = _measured(path / "metrics.csv")
    epochs = int(record["settings"].get("epochs") or 0)
    return RunState(
        path=path,
        status=status,
        epoch=epochs if status == "done" else epoch,
        epochs=epochs,
        seconds=sum(v for name, v in numbers.items() if name.startswith("time/") and v),
        values={
            heading: numbers[name]
            for heading, name in SHOWN.items()
            if numbers.get(name) is not None
        },
        error=(str(record.get("error") or "").splitlines() or [""])[0],
        standin=bool(record.get("standin")),
        settings=record["settings"],
        changed=changed,
    )


@lru_cache(maxsize=65536)
def _record(file: Path, changed: int) -> dict[str, Any] | None:
    try:
        record = json.loads(file.read_text())
        if record["status"] not in ("running", "failed", "done"):
            return None
        kept = ("status", "scalars", "error", "standin")
        return {name: record.get(name) for name in kept} | {"settings": dict(record["settings"])}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _measured(file: Path) -> tuple[int, dict[str, float]]:
    """Completed epochs, and the last value of every number."""
    numbers: dict[str, float] = {}
    epoch = 0
    try:
        with file.open(newline="") as lines:
            for row in csv.DictReader(lines):
                numbers[row["name"]] = float(row["value"])
                epoch = max(epoch, int(row["epoch"]))
    except (OSError, ValueError, KeyError, TypeError):
        pass  # not there yet, or being replaced: the next look finds it
    return epoch, numbers
