"""Folders written under a temporary name and renamed when complete; leftovers are removed."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from records.lock import Lock


def writer_lock(target: Path) -> Lock:
    """Held by the process that writes `target`; its file is removed with the lock."""
    return Lock(target.with_name(f".{target.name}.lock"), leaves_file=False)


@contextlib.contextmanager
def scratch_folder(target: Path) -> Iterator[Path]:
    """A new folder beside `target`, to be renamed to it; removed at the end if it still exists.

    Needs `writer_lock(target)`. Scratch folders of killed writers, for this target or any other
    beside it, are removed first: their locks are free.

    >>> target = Path(tempfile.mkdtemp()) / "data"
    >>> left = target.with_name(".other.abc.scratch")
    >>> left.mkdir()
    >>> with writer_lock(target), scratch_folder(target) as scratch:
    ...     _ = scratch.rename(target)
    >>> left.exists(), target.is_dir()
    (False, True)
    """
    for left in target.parent.glob(".*.scratch"):  # listed before the lock is checked
        owner = target.with_name(left.name.removeprefix(".").rsplit(".", 2)[0])
        if owner == target or not writer_lock(owner).is_held():
            shutil.rmtree(left, ignore_errors=True)
    scratch = Path(
        tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".scratch", dir=target.parent)
    )
    try:
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
