"""One attempt at a run: skip, go on or start; and what its record says as it goes."""

import contextlib
import os
import socket
from typing import Any, Literal

from records.atomic import write_text
from records.provenance import git, versions
from records.ranks import rank
from records.run_folder import Record, RunFolder, now

Decision = Literal["skip", "go on", "start"]


OTHER_CODE = "two versions of the code"


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


def outcome(before: Record | None, after: Record | None, held: bool = False) -> str:
    """What to call a run in the table of a sweep, by its record before and after the launch.

    Nothing else is known of a run that another process made (a launcher's worker, a cluster's job).

    Args:
        before: its record when the command was given; None: it had none.
        after: its record now.
        held: whether some process still has its lock.

    >>> session = {"started": "9:00", "resumed": False}
    >>> done = {"status": "done", "sessions": [session]}
    >>> outcome(None, done), outcome(done, done), outcome(None, {"status": "failed"})
    ('done', 'skipped', 'failed')
    """
    if after is None:
        return "not run"
    status: str = after["status"]
    if status == "running":
        return "running" if held else "interrupted"
    sessions = after.get("sessions", [])
    if status != "done" or not sessions:
        return status
    if before is not None and before.get("sessions") == sessions:
        return "skipped"
    return "resumed" if sessions[-1].get("resumed") else "done"


def made_by_others(records: list[Record | None]) -> list[str]:
    """Commits, other than the present one, that finished runs were made with."""
    done = [record for record in records if record and record.get("status") == "done"]
    commits = {(record.get("git") or {}).get("commit") for record in done}
    return sorted(str(commit)[:8] for commit in commits - {None, git()["commit"]})


def begin(folder: RunFolder, settings: dict[str, Any], resumed: bool = False, **facts: Any) -> None:
    """The record of a run that has started, or goes on: each time is a session."""
    record = folder.read() or {}
    for file in folder.tracebacks():  # of an attempt before
        file.unlink()
    commit, before = git()["commit"], (record.get("git") or {}).get("commit")
    notes = [note for note in record.get("notes", []) if note.startswith(OTHER_CODE)]
    if resumed and before != commit:
        notes.append(f"{OTHER_CODE}: began with commit {before}, went on with {commit}")
    session = {
        "started": now("milliseconds"),
        "resumed": resumed,
        "host": socket.gethostname(),
        "process": os.getpid(),
        "commit": commit,
        "devices": None,
    }
    folder.update(
        key=folder.path.name,
        status="running",
        settings=settings,
        scalars={},
        versions=versions(),
        git=git(),
        started=record.get("started", now()),
        finished=None,
        sessions=[*record.get("sessions", []), session],
        error=None,
        notes=notes,
        **facts,
    )


def note_devices(folder: RunFolder, devices: int) -> None:
    """On how many devices this session trains; a later one may have another number."""
    sessions = (folder.read() or {}).get("sessions", [])
    folder.update(devices=devices, sessions=[*sessions[:-1], {**sessions[-1], "devices": devices}])


def note(folder: RunFolder, text: str) -> None:
    """Say something that readers of the numbers should know, and keep it in the record."""
    notes = (folder.read() or {}).get("notes", [])
    folder.say(f"{folder.path.name}: {text}.")
    folder.update(notes=[*notes, text])


def succeed(
    folder: RunFolder,
    scalars: dict[str, float | None],
    spec: dict[str, Any],
    notes: list[str],
) -> None:
    """The record of a finished run: its numbers, its data, and what was left out of the data."""
    notes = [*notes, *(folder.read() or {}).get("notes", [])]
    folder.update(status="done", scalars=scalars, spec=spec, notes=notes, finished=now())


def fail(folder: RunFolder, error: BaseException, traceback: str) -> None:
    """Write down why a run failed: the reason in its record, the traceback in its folder.

    On a full disk neither may be possible; the reason is said in any case.
    """
    if type(error).__name__ == "InstantiationException" and error.__cause__:
        error = error.__cause__  # Hydra's wrapping: its first line says nothing
    text = str(error) or type(error).__name__
    try:
        folder.path.mkdir(parents=True, exist_ok=True)
        folder.update(status="failed", error=text, bad_data=hasattr(error, "is_bad_data"))
        folder.traceback_file.write_text(traceback)
    except OSError as second:
        folder.say(f"{folder.path.name}: {text}; and its record could not be written: {second}")


def fail_as_follower(folder: RunFolder, error: BaseException, traceback: str) -> None:
    """Leave the reason of rank 1, 2, ... for readers: rank 0 is killed, and writes nothing.

    Where nobody holds the lock any more, rank 0 has ended first, and this failure only follows.
    """
    text = f"{type(error).__name__}: {error}\n\n{traceback}"
    if folder.is_held():
        with contextlib.suppress(OSError):  # a full disk: it is on the screen still
            write_text(folder.path / f"traceback-rank{rank()}.txt", text)
