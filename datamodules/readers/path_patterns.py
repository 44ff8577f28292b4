"""Regular expressions for the paths of a user's own images: left out, their class, their group."""

import re
from pathlib import Path

from datamodules.errors import DataError
from records.counted import counted


def is_left_out(pattern: str | None, path: str) -> bool:
    """Whether `data.reader.leave_out` matches in a path below the root.

    >>> is_left_out("_mask", "cat/1_mask.png"), is_left_out(None, "cat/1.png")
    (True, False)
    """
    return pattern is not None and bool(_compiled("leave_out", pattern).search(path))


def note_on_left_out(pattern: str | None, number: int, root: Path) -> tuple[str, ...]:
    """How many files `data.reader.leave_out` matches; DataError if it is set and matches none.

    >>> note_on_left_out("_mask", 2, Path("set")), note_on_left_out(None, 0, Path("set"))
    (('2 files left out by data.reader.leave_out',), ())
    """
    if number:
        return (f"{counted(number, 'file')} left out by data.reader.leave_out",)
    if pattern is None:
        return ()
    raise DataError(
        f"data.reader.leave_out={pattern}: matches no file below {root}; it is a regular "
        "expression for paths such as `masks/1.png`."
    )


def label_in_path(pattern: str, path: str) -> str | None:
    """What the first parentheses of `data.reader.label_pattern` match in a path; None if nothing.

    >>> label_in_path("([^/]+)_[0-9]+[.]", "images/saint_bernard_12.jpg")
    'saint_bernard'
    """
    compiled = _compiled("label_pattern", pattern)
    if not compiled.groups:
        raise DataError(
            f"data.reader.label_pattern={pattern}: it has no parentheses; put the part that is the "
            "class into parentheses, as in '([^/]+)_[0-9]+[.]'."
        )
    found = compiled.search(path)
    return (found.group(1) or None) if found else None


def group_in_path(pattern: str | None, path: str) -> str | None:
    r"""What the first parentheses of `data.reader.group_pattern` match in a path.

    >>> group_in_path(r"(p\d+)_", "cat/p12_left.png")
    'p12'
    """
    if pattern is None:
        return None
    found = _compiled("group_pattern", pattern).search(path)
    if not found or not found.groups():
        raise DataError(
            f"data.reader.group_pattern={pattern}: its first parentheses match nothing in `{path}`."
        )
    return found.group(1)


def _compiled(name: str, pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)  # `re` keeps compiled patterns
    except re.error as error:
        raise DataError(
            f"data.reader.{name}={pattern}: is no regular expression ({error}); write a backslash "
            "before a bracket or other sign that means itself."
        ) from error
