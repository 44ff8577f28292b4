"""Reject a pipe or a device in the place of a file, before reading it blocks or never ends."""

from pathlib import Path


def check_regular(path: Path) -> None:
    """Raise OSError if the path is a pipe, device, socket or folder.

    A path that does not exist passes: opening it raises `FileNotFoundError`.

    >>> check_regular(Path("."))  # a folder
    Traceback (most recent call last):
    OSError: not a regular file
    """
    if path.exists() and not path.is_file():
        raise OSError("not a regular file")
