"""Atomic files: written under a temporary name, flushed, then renamed."""

import contextlib
import os
import uuid
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def replacing(path: Path, unique: bool = False) -> Iterator[Path]:
    """Yield a temporary path beside `path`; on success it replaces `path`, otherwise it is removed.

    For one writer at a time: folders that several processes write to need a lock. Where locks may
    not work, `unique` makes the temporary name `.<name>.<random>.tmp`; the caller then removes the
    files of killed writers.

    >>> import tempfile
    >>> target = Path(tempfile.mkdtemp()) / "a.txt"
    >>> with replacing(target) as temporary:
    ...     _ = temporary.write_text("whole")
    >>> target.read_text()
    'whole'
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # with a fixed name a killed writer leaves at most one file, which the next one overwrites
    temporary = path.with_name(f".{path.name}.{f'{uuid.uuid4().hex}.' if unique else ''}tmp")
    try:
        yield temporary
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write `text` to `path` atomically."""
    with replacing(path) as temporary:
        temporary.write_text(text)
