"""One writer per folder: an advisory lock that dies with its process.

The kernel drops a `flock` when its holder ends, however it ends, so a lock cannot go stale; the
file's text only tells people who holds it.
"""

import contextlib
import fcntl
import json
import os
import socket
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import IO


class Lock:
    """Context manager around `path`; waits for another holder.

    Args:
        path: the lock file.
        on_wait: called once, with a sentence about the holder, when we have to wait.
        poll: seconds between tries.
        leaves_file: False takes the file away with the lock, for folders that are people's own.
    """

    def __init__(
        self,
        path: Path,
        on_wait: Callable[[str], None] | None = None,
        poll: float = 0.2,
        leaves_file: bool = True,
    ) -> None:
        self.path = path
        self.on_wait = on_wait
        self.poll = poll
        self.leaves_file = leaves_file
        self._file: IO[str] | None = None

    def holder(self) -> str:
        """Who wrote the lock file last, as a phrase."""
        try:
            who = json.loads(self.path.read_text())
            return f"process {who['pid']} on {who['host']} since {who['since']}"
        except (OSError, ValueError, KeyError):
            return "another process"

    def is_held(self) -> bool:
        """Whether some process holds it now; asking takes nothing from whoever waits for it."""
        try:
            with self.path.open() as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except FileNotFoundError:
            return False
        except BlockingIOError:
            return True
        return False

    def __enter__(self) -> "Lock":
        self.path.parent.mkdir(parents=True, exist_ok=True)
        file = self.path.open("a+")
        waited = False
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if self._is_ours(file):
                    break
                file.close()  # its last holder took it away while we waited
                file = self.path.open("a+")
            except BlockingIOError:
                if not waited and self.on_wait:
                    self.on_wait(self.holder())
                waited = True
                time.sleep(self.poll)
        self._file = file
        since = datetime.now().isoformat(timespec="seconds")
        who = {"pid": os.getpid(), "host": socket.gethostname(), "since": since}
        with contextlib.suppress(OSError):  # a full disk: the lock holds, only its label is missing
            file.truncate(0)
            file.write(json.dumps(who))
            file.flush()
        return self

    def _is_ours(self, file: IO[str]) -> bool:
        """Whether the open file is still the one that others find under this name."""
        try:
            return os.path.samestat(os.fstat(file.fileno()), self.path.stat())
        except FileNotFoundError:
            return False

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._file:
            with contextlib.suppress(OSError):
                self._file.truncate(0)
                if not self.leaves_file:
                    self.path.unlink()  # before the lock goes: afterwards it may be another's
            self._file.close()  # releases the lock
            self._file = None
