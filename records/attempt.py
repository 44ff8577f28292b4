"""One attempt at a run: skip, go on or start; and what its record says as it goes."""

from typing import Any, Literal

from records.provenance import git, versions
from records.run_folder import Record, RunFolder, now

Decision = Literal["skip", "go on", "start"]


class CannotResumeError(Exception):
    """`resume=must`, and there is nothing to resume."""


def decide(record: Record | None, has_checkpoint: bool, resume: str, key: str) -> Decision:
    """`auto`: done is skipped, interrupted goes on; `never`: starts anew; `must`: never starts.

    >>> decide({"status": "done"}, False, "auto", "k"), decide(None, True, "auto", "k")
    ('skip', 'go on')
    >>> decide({"status": "done"}, True, "never", "k")
    'start'
    """
    if resume == "never":
        return "start"
    if record and record.get("status") == "done":
        return "skip"
    if has_checkpoint:
        return "go on"
    if resume == "must":
        raise CannotResumeError(
            f"resume=must, but {key} has neither a finished record nor a checkpoint; "
            "use resume=auto."
        )
    return "start"


def begin(folder: RunFolder, settings: dict[str, Any], **facts: Any) -> None:
    """The record of a run that has started, or goes on: each time is a session."""
    record = folder.read() or {}
    folder.update(
        key=folder.path.name,
        status="running",
        settings=settings,
        scalars={},
        versions=versions(),
        git=git(),
        started=record.get("started", now()),
        finished=None,
        sessions=[*record.get("sessions", []), {"started": now(), "devices": None}],
        error=None,
        **facts,
    )


def note_devices(folder: RunFolder, devices: int) -> None:
    """On how many devices this session trains; a later one may have another number."""
    sessions = (folder.read() or {}).get("sessions", [])
    folder.update(devices=devices, sessions=[*sessions[:-1], {**sessions[-1], "devices": devices}])


def succeed(
    folder: RunFolder,
    scalars: dict[str, float | None],
    spec: dict[str, Any],
    notes: list[str],
) -> None:
    """The record of a finished run: its numbers, its data, and what was left out of the data."""
    folder.update(status="done", scalars=scalars, spec=spec, notes=notes, finished=now())


def fail(folder: RunFolder, error: BaseException, traceback: str) -> None:
    """Write down why a run failed: the first line in its record, all of it in its folder."""
    folder.path.mkdir(parents=True, exist_ok=True)
    folder.traceback_file.write_text(traceback)
    text = str(error) or type(error).__name__
    folder.update(status="failed", error=text, bad_data=hasattr(error, "is_bad_data"))
