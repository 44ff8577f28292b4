"""Regular expressions for the paths of a user's own images: which are left out, and their class."""

import re
from pathlib import Path

from datamodules.errors import DataError


def is_left_out(pattern: str | None, path: Path) -> bool:
    """Whether `data.reader.leave_out` matches in a path below the root.

    >>> is_left_out("_mask", Path("cat/1_mask.png")), is_left_out(None, Path("cat/1.png"))
    (True, False)
    """
    return pattern is not None and bool(_compiled("leave_out", pattern).search(path.as_posix()))


def label_in_path(pattern: str, path: Path) -> str | None:
    """What the first parentheses of `data.reader.label_pattern` match in a path; None if nothing.

    >>> label_in_path("([^/]+)_[0-9]+[.]", Path("images/saint_bernard_12.jpg"))
    'saint_bernard'
    """
    compiled = _compiled("label_pattern", pattern)
    if not compiled.groups:
        raise DataError(
            f"data.reader.label_pattern={pattern}: it has no parentheses; put the part that is the "
            "class into parentheses, as in '([^/]+)_[0-9]+[.]'."
        )
    found = compiled.search(path.as_posix())
    return (found.group(1) or None) if found else None


def _compiled(name: str, pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)  # `re` keeps compiled patterns
    except re.error as error:
        raise DataError(
            f"data.reader.{name}={pattern}: is no regular expression ({error}); write a backslash "
            "before a bracket or other sign that means itself."
        ) from error
