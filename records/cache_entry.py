"""An entry of a cache that several processes share: computed once, by one of them."""

import contextlib
import logging
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from records.lock import Lock

log = logging.getLogger(__name__)

Result = TypeVar("Result")


def cache_entry(
    path: Path,
    read: Callable[[Path], Result | None],
    compute: Callable[[], Result],
    write: Callable[[Path, Result], None],
) -> Result:
    """The content of a cache file; computed and written first if it does not exist.

    A complete entry is read without a lock, so that a cache may be read-only. Another process that
    needs the same entry waits for the first. If the cache cannot be written, the result is computed
    and not cached.

    `read` returns None if the file has another result, and raises if it is damaged. `write` is
    atomic.
    """
    found = _read(path, read)
    if found is not None:
        return found
    with contextlib.ExitStack() as held:
        try:
            held.enter_context(
                Lock(path.with_suffix(".lock"), on_wait=_log_waiting, leaves_file=False)
            )
        except OSError as error:
            log.warning("cache: %s cannot be written (%s); the result is not kept", path, error)
            return compute()
        found = _read(path, read)  # another process may have just written it
        if found is None:
            found = compute()
            try:
                write(path, found)
            except OSError as error:
                log.warning("cache: %s cannot be written (%s); the result is not kept", path, error)
    return found


def _read(path: Path, read: Callable[[Path], Result | None]) -> Result | None:
    try:
        return read(path)
    except FileNotFoundError:
        return None
    except Exception as error:  # a damaged file can raise anything
        log.warning("cache: %s is damaged (%s) and computed again", path, error)
        return None


def _log_waiting(holder: str) -> None:
    log.info("waiting for a result that %s is computing", holder)
