"""A lock for one writer per folder.

The system releases the lock when its process ends, for any reason, so a lock cannot become stale;
the text of the file only names the holder.
"""

import contextlib
import json
import os
import socket
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout

if sys.platform != "win32":
    import fcntl


POLL = 0.2  # seconds between attempts


class Lock:
    """Context manager around a lock file; waits for another holder.

    Args:
        path: of the file.
        on_wait: called once, with a phrase that names the holder, if another process has the lock.
        leaves_file: whether the file stays after the lock is released; False in folders of users.
    """

    def __init__(
        self,
        path: Path,
        on_wait: Callable[[str], None] | None = None,
        leaves_file: bool = True,
    ) -> None:
        self.path = path
        self.on_wait = on_wait
        self.leaves_file = leaves_file
        self._held: FileLock | None = None

    def holder(self) -> str:
        """The last process that wrote the lock file, as a phrase."""
        try:
            who = json.loads(self.path.read_text())
            return f"process {who['pid']} on {who['host']} since {who['since']}"
        except (OSError, ValueError, KeyError):
            return "another process"

    def is_held(self) -> bool:
        """Whether a process holds it now; does not wait and does not create the file."""
        if not self.path.exists():
            return False
        if sys.platform == "win32":
            return self._is_held_without_shared_locks()
        try:
            # filelock has exclusive locks only: they need write permission, and two processes that
            # check at once would each report the other; O_NONBLOCK: do not wait for a pipe
            file = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            finally:
                os.close(file)
        except FileNotFoundError:
            return False
        except BlockingIOError:
            return True
        return False

    def _is_held_without_shared_locks(self) -> bool:
        try:
            with self._file_lock().acquire(blocking=False):
                return False
        except Timeout:
            return True

    def _file_lock(self) -> FileLock:
        return FileLock(
            self.path,
            thread_local=False,  # a run may end on another thread than it started on
            poll_interval=POLL,
            fallback_to_soft=False,  # a soft lock, a mere file, would stay after a kill
            preserve_lock_file=self.leaves_file,
        )

    def __enter__(self) -> "Lock":
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lock = self._file_lock()
        try:
            lock.acquire(blocking=False)
        except Timeout:
            if self.on_wait:
                self.on_wait(self.holder())
            lock.acquire()
        self._held = lock
        since = datetime.now().isoformat(timespec="seconds")
        who = {"pid": os.getpid(), "host": socket.gethostname(), "since": since}
        with contextlib.suppress(OSError):  # a full disk: the lock works, only the text is missing
            self.path.write_text(json.dumps(who))
        return self

    def __exit__(self, *_: object) -> None:
        if self._held and self._held.is_locked:  # False in a fork of the holder
            with contextlib.suppress(OSError):
                os.truncate(self.path, 0)
                if not self.leaves_file:
                    self.path.unlink()  # before the release, after which others may use it
            self._held.release()
        self._held = None
