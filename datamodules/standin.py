"""Where stand-ins lie: written once, by one process, whole or not at all."""

import functools
import inspect
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from datamodules.identity import digest, identity
from records.lock import Lock


def standin_folder(cache: Path, name: str, write: Callable[..., None]) -> Path:
    """A folder with the generated data set that `write(root=...)` makes; written if not there yet.

    The folder's name holds a hash of the writer's source and settings, so that a change of either
    never meets files of another. A broken-off writer leaves nothing behind under that name.

    Args:
        cache: `paths.cache`.
        name: of the data set that is stood in for.
        write: the writer, with its settings bound (`functools.partial`).
    """
    function = write.func if isinstance(write, functools.partial) else write
    source = inspect.getsource(sys.modules[function.__module__])
    folder = cache / "standins" / f"{name}-{digest(identity(write), source)}"
    if folder.exists():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with Lock(folder.with_name(f".{folder.name}.lock"), leaves_file=False):
        if not folder.exists():  # another process may have written it while we waited
            temporary = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
            try:
                write(root=temporary)
                temporary.chmod(0o755)  # mkdtemp is private; a cache is shared with colleagues
                temporary.rename(folder)
            finally:
                shutil.rmtree(temporary, ignore_errors=True)
    return folder
