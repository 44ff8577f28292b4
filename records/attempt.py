"""What to do with a run folder: skip it, go on with it, or start."""

from typing import Literal

from records.run_folder import Record, RunFolder

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


def fail(folder: RunFolder, error: BaseException, traceback: str) -> None:
    """Write down why a run failed: the first line in its record, all of it in its folder."""
    folder.path.mkdir(parents=True, exist_ok=True)
    folder.traceback_file.write_text(traceback)
    text = str(error) or type(error).__name__
    folder.update(status="failed", error=text, error_type=type(error).__name__)
