"""Folders of stand-ins: written once, by one process, atomically."""

import functools
import inspect
import sys
from collections.abc import Callable
from pathlib import Path

from datamodules.identity import digest, identity
from records.scratch_folder import scratch_folder, writer_lock


def standin_folder(cache: Path, name: str, write: Callable[..., None]) -> Path:
    """The folder with the generated data set that `write(root=...)` makes; written if missing.

    The folder's name contains a hash of the writer's source and settings, so that a change of
    either creates another folder. A killed writer leaves nothing under that name; its partial files
    are removed by the next one.
    """
    function = write.func if isinstance(write, functools.partial) else write
    source = inspect.getsource(sys.modules[function.__module__])
    folder = cache / "standins" / f"{name}-{digest(identity(write), source)}"
    if folder.exists():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with writer_lock(folder):
        if not folder.exists():  # another process may have written it meanwhile
            with scratch_folder(folder) as scratch:
                write(root=scratch)
                scratch.chmod(0o755)  # created private, but a cache may be shared
                scratch.rename(folder)
    return folder
