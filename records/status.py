"""The status of a run, the same words in records, tables, `watch` and reports."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args

Status = Literal[
    "not started",
    "running",
    "interrupted",
    "done",
    "done with warnings",
    "diverged",
    "failed",
]
STATUSES: tuple[str, ...] = get_args(Status)

# Training is over and is not repeated. A run that is done with warnings lacks some measurements;
# the same command repeats these.
FINISHED = frozenset({"done", "done with warnings", "diverged"})
# The same command has nothing left to do.
SETTLED = frozenset({"done", "diverged"})
# Laws, tables and figures may use the numbers.
USABLE = frozenset({"done", "done with warnings"})

EXIT_DONE, EXIT_FAILED, EXIT_REFUSED, EXIT_WARNINGS = 0, 1, 2, 3  # 2: wrong command or bad data
EXIT_CODES = (EXIT_DONE, EXIT_FAILED, EXIT_REFUSED, EXIT_WARNINGS)


def status_of(record: Mapping[str, Any] | None, held: bool) -> str:
    """The status of a run, by its record and by whether a process holds its lock.

    The record of a killed process keeps the status `running`.

    >>> status_of(None, False), status_of({"status": "running"}, False)
    ('not started', 'interrupted')
    """
    if record is None:
        return "not started"
    status = str(record["status"])
    return "interrupted" if status == "running" and not held else status


def exit_code(statuses: Iterable[str]) -> int:
    """Exit code of a command: 1 if a run is not finished, 3 if one has warnings, else 0.

    >>> exit_code(["done"]), exit_code(["done", "diverged"]), exit_code(["diverged", "failed"])
    (0, 3, 1)
    """
    statuses = list(statuses)
    if not FINISHED.issuperset(statuses):
        return EXIT_FAILED
    return EXIT_DONE if all(status == "done" for status in statuses) else EXIT_WARNINGS
