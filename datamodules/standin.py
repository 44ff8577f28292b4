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

    The folder's name contains a hash of the writer's settings, of its module and of the modules of
    the same package that it uses, so that a change of any of them creates another folder. A
    killed writer leaves nothing under that name; its partial files are removed by the next one.
    """
    function = write.func if isinstance(write, functools.partial) else write
    sources = [inspect.getsource(sys.modules[one]) for one in sorted(used(function.__module__))]
    folder = cache / "standins" / f"{name}-{digest(identity(write), *sources)}"
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


def used(name: str) -> set[str]:
    """A module and those of its package whose functions and classes it uses, in turn.

    >>> sorted(used("datamodules.standin"))
    ['datamodules.identity', 'datamodules.standin']
    """
    found, new = {name}, {name}
    package = sys.modules[name].__package__
    while new:
        objects = [value for one in new for value in vars(sys.modules[one]).values()]
        modules = {getattr(value, "__module__", None) for value in objects}
        new = {m for m in modules if m and m.rpartition(".")[0] == package} - found
        found |= new
    return found
