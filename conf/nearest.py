"""Suggestions for words that were misspelled."""

import difflib
from collections.abc import Iterable


def nearest(name: str, names: Iterable[str]) -> str:
    """' did you mean `x`?' for the closest name, else an empty string.

    >>> nearest("modle", ["model", "data"])
    ' did you mean `model`?'
    """
    close = difflib.get_close_matches(name, list(names), n=1, cutoff=0.6)
    return f" did you mean `{close[0]}`?" if close else ""
