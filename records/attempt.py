"""One attempt at a run: whether to skip, resume, measure again or start; and its record."""

import contextlib
import logging
import os
import socket
from collections.abc import Iterable, Iterator
from typing import Any, Literal

from records.atomic import write_text
from records.failed_measurements import FAILED
from records.key import trains
from records.provenance import git, versions
from records.ranks import rank
from records.reader import Record
from records.run_folder import RunFolder, now
from records.schema import entry
from records.status import FINISHED, SETTLED, status_of

log = logging.getLogger(__name__)
notes_log = logging.getLogger("records.notes")

Decision = Literal["skip", "measure", "resume", "start"]

OTHER_CODE = "two versions of the code"
OTHER_TORCH = "two versions of torch"
LOST = (
    "resumed without its record, which was lost or damaged: notes and failed measurements of "
    "earlier sessions are unknown"
)
DIVERGED = (
    "diverged: {} is not a finite number after epoch {}; lower optimizer.lr (or model.lr), or set "
    "trainer.gradient_clip_val=1"
)
LOSSES = {"train/running_loss": "the training loss", "test/loss": "the test loss"}


class CannotResumeError(Exception):
    """`resume=must`, and there is nothing to resume."""


def decide(record: Record | None, has_checkpoint: bool, resume: str, key: str) -> Decision:
    """`auto`: skip finished runs, resume interrupted ones; `never`: restart; `must`: only resume.

    A run that is done with warnings lacks measurements: these are repeated from its checkpoint.
    Without one it is skipped, because only `never` may replace a trained network.

    >>> decide({"status": "done"}, False, "auto", "k"), decide(None, True, "auto", "k")
    ('skip', 'resume')
    >>> decide({"status": "done"}, True, "never", "k")
    'start'
    >>> lacking = {"status": "done with warnings", "settings": {}}
    >>> decide(lacking, True, "auto", "k"), decide(lacking, False, "auto", "k")
    ('measure', 'skip')
    """
    if resume == "never":
        return "start"
    if record and record["status"] in SETTLED:
        return "skip"
    if record and record["status"] in FINISHED and has_checkpoint:
        return "measure"
    if record and record["status"] in FINISHED and trains(record["settings"]):
        return "skip"
    if has_checkpoint:
        return "resume"
    if resume == "must":
        raise CannotResumeError(
            f"resume=must, but {key} has neither a finished record nor a checkpoint; "
            "use resume=auto."
        )
    return "start"


def outcome(before: Record | None, after: Record | None, held: bool = False) -> str:
    """The status of a run in the table of a sweep, and whether this launch skipped or resumed it.

    By its records when the command started and now, because another process may have executed it
    (a launcher's worker, a job of a cluster); and by whether a process still holds its lock.

    >>> session = {"started": "9:00", "resumed": False}
    >>> done = {"status": "done", "sessions": [session]}
    >>> outcome(None, done), outcome(done, done), outcome(None, {"status": "failed"})
    ('done', 'done, skipped', 'failed')
    """
    status = status_of(after, held)
    sessions = (after or {}).get("sessions", [])
    if status not in FINISHED or not sessions:
        return status
    if before is not None and before.get("sessions") == sessions:
        return f"{status}, skipped"
    return f"{status}, resumed" if sessions[-1].get("resumed") else status


def other_versions(records: Iterable[Record | None], name: str, here: Any) -> list[str]:
    """The versions of finished runs, by a dotted name in their records, other than the one here.

    >>> other_versions([{"status": "done", "git": {"commit": "a"}}, None], "git.commit", "b")
    ['a']
    """
    done = [record for record in records if record and record["status"] in FINISHED]
    return sorted(map(str, {entry(record, name) for record in done} - {None, here}))


def begin(folder: RunFolder, settings: dict[str, Any], resumed: bool = False, **facts: Any) -> None:
    """Write the record of a run that starts or resumes; each start is a session.

    Notes and failed measurements of earlier sessions are kept, because measurements before the
    checkpoint are not repeated.
    """
    record = folder.read() or {}
    for file in folder.tracebacks():  # of an earlier attempt
        file.unlink()
    commit, before = git()["commit"], (record.get("git") or {}).get("commit")
    notes = list(record.get("notes", []))
    torch, torch_before = versions()["torch"], (record.get("versions") or {}).get("torch")
    if resumed and torch_before not in (None, torch):
        notes.append(f"{OTHER_TORCH}: started with {torch_before}, resumed with {torch}")
    if resumed and not record:
        notes.append(LOST)
    elif resumed and before != commit:
        notes.append(f"{OTHER_CODE}: started with commit {before}, resumed with {commit}")
    folder.write(
        {
            **record,
            "key": folder.path.name,
            "status": "running",
            "settings": settings,
            "scalars": {},
            "versions": versions(),
            "git": git(),
            "started": record.get("started", now("milliseconds")),
            "finished": None,
            "sessions": [*record.get("sessions", []), session(resumed)],
            "error": None,
            "notes": notes,
            FAILED: record.get(FAILED, []),
            **facts,
        }
    )


def session(resumed: bool) -> dict[str, Any]:
    """Description of this process, for the record."""
    return {
        "started": now("milliseconds"),
        "resumed": resumed,
        "host": socket.gethostname(),
        "process": os.getpid(),
        "commit": git()["commit"],
        "devices": None,
    }


def note_devices(folder: RunFolder, devices: int) -> None:
    """Record the number of devices of this session; a later one may differ."""
    sessions = folder.own()["sessions"]
    folder.update(devices=devices, sessions=[*sessions[:-1], {**sessions[-1], "devices": devices}])


@contextlib.contextmanager
def notes_printed_later(later: bool) -> Iterator[None]:
    """Print no notes as they arise, if `later`: the table of a single run has them below it."""
    notes_log.disabled = later
    try:
        yield
    finally:
        notes_log.disabled = False


def note(folder: RunFolder, text: str) -> None:
    """Print a remark on the numbers, and add it to the record."""
    notes_log.warning("%s: %s", folder.path.name, text)  # several runs may print at once
    folder.note(text)


def succeed(
    folder: RunFolder,
    scalars: dict[str, float | None],
    spec: dict[str, Any],
    notes: list[str],
    epochs: int = 0,
) -> None:
    """Write the record of a finished run: final numbers (None: not finite), spec and notes of data.

    The note on a run that diverged has the number of completed epochs.
    """
    record = folder.own()
    diverged = [
        DIVERGED.format(loss, epochs)
        for name, loss in LOSSES.items()
        if name in scalars and scalars[name] is None
    ]
    notes = [*notes, *record.get("notes", []), *diverged[:1]]
    status = "diverged" if diverged else "done with warnings" if record.get(FAILED) else "done"
    folder.update(
        status=status,
        scalars=scalars,
        spec=spec,
        notes=list(dict.fromkeys(notes)),
        finished=now(),
    )


def measured_again(folder: RunFolder, scalars: dict[str, float | None]) -> None:
    """Write the record of a finished run whose failed measurements were repeated."""
    record = folder.own()
    folder.update(
        status="done with warnings" if record.get(FAILED) else "done",
        scalars=scalars,
        sessions=[*record["sessions"], session(resumed=True)],
    )


def fail(folder: RunFolder, error: BaseException, traceback: str) -> None:
    """Record why a run failed: the reason in its record, the traceback in its folder.

    If neither can be written, as on a full disk, the reason is printed. A run that had not started
    gets no record. If the record is lost, the checkpoints are removed, because more may be lost.
    """
    if type(error).__name__ == "InstantiationException" and error.__cause__:
        error = error.__cause__  # Hydra's wrapper, whose first line has no reason
    text = str(error) or type(error).__name__
    if folder.written is None:
        log.error("%s: %s; its record could not be written.", folder.path.name, text)
        return
    try:
        record = folder.read()
        if record is None:
            folder.path.mkdir(parents=True, exist_ok=True)
            folder.discard_checkpoints()
        bad_data = hasattr(error, "is_bad_data")
        failed = {"status": "failed", "error": text, "bad_data": bad_data}
        folder.write({**(record or folder.written), **failed})
        write_text(folder.traceback_file, traceback)
    except OSError as second:
        message = "%s: %s; and its record could not be written: %s"
        log.error(message, folder.path.name, text, second)


def fail_on_nonzero_rank(folder: RunFolder, error: BaseException, traceback: str) -> None:
    """Save the reason of a failure on rank 1, 2, ...: rank 0 is killed and cannot write it.

    If the lock is free, rank 0 has ended first and caused this failure.
    """
    text = f"{type(error).__name__}: {error}\n\n{traceback}"
    if folder.is_held():
        with contextlib.suppress(OSError):  # a full disk; the reason is printed too
            write_text(folder.path / f"traceback-rank{rank()}.txt", text)
