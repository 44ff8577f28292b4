"""Digests of the content of files, stored on disk: a file is read for its digest once.

A stored digest is found by the file's path, size, times and inode. None of these is part of the
digest itself: a copy elsewhere has the same digest, and a file that was replaced under its name,
with the old size and even the old time, has another.
"""

import hashlib
import json
import logging
import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from datamodules.errors import DataError
from datamodules.formats.locate import existing
from datamodules.identity import digest
from datamodules.progress import progress
from records.atomic import replacing
from records.data_identity import MISSING
from records.lock import Lock
from records.regular_file import check_regular

log = logging.getLogger(__name__)

FRESH = 2.0  # seconds; a newer file could still change without a visible change of its times

Stamp = tuple[int, int, int, int]  # size, modification and change times (ns), inode
Known = dict[str, tuple[Stamp, str]]  # by path


class Contents:
    """Digests of files below `root`, in memory and, unless `cache` is None, in a file per set."""

    def __init__(self, cache: Path | None, root: Path) -> None:
        name = digest(str(root.absolute()))
        self.store = None if cache is None else cache.expanduser() / "digests" / f"{name}.json"
        self.known = self._stored()

    def digests(self, paths: Sequence[Path]) -> list[str]:
        """One digest per file; files without a stored digest are read, in several threads."""
        paths = [path.absolute() for path in paths]
        stamps = [_stamp(path) for path in paths]
        missing = [
            (path, stamp)
            for path, stamp in zip(paths, stamps, strict=True)
            if stamp is not None and self.known.get(str(path), (None,))[0] != stamp
        ]
        found = self._read(missing) if missing else {}
        self._keep(found)
        known = {**self.known, **found}
        return [
            MISSING if stamp is None else known[str(path)][1]
            for path, stamp in zip(paths, stamps, strict=True)
        ]

    def _read(self, missing: list[tuple[Path, Stamp]]) -> Known:
        found: Known = {}
        threads = min(8, os.cpu_count() or 1)
        with (
            progress("reading images for their fingerprint", len(missing)) as advance,
            ThreadPoolExecutor(threads) as pool,
        ):
            contents = pool.map(_content, (path for path, _ in missing))
            for (path, stamp), content in zip(missing, contents, strict=True):
                found[str(path)] = stamp, content
                advance(1)
        return found

    def _keep(self, found: Known) -> None:
        limit = time.time_ns() - int(FRESH * 1e9)
        settled = {path: one for path, one in found.items() if max(one[0][1:3]) < limit}
        self.known |= settled
        if not settled or self.store is None:
            return
        try:
            with Lock(self.store.with_suffix(".lock"), leaves_file=False):
                self.known = {**self._stored(), **self.known}  # others may have added theirs
                with replacing(self.store, unique=True) as temporary:
                    temporary.write_text(json.dumps(self.known))
        except OSError as error:
            log.warning("%s cannot be written (%s); digests are not kept", self.store, error)

    def _stored(self) -> Known:
        if self.store is None:
            return {}
        try:
            check_regular(self.store)
            content = json.loads(self.store.read_text())
            return {path: (tuple(stamp), str(known)) for path, (stamp, known) in content.items()}
        except FileNotFoundError:
            return {}
        except Exception as error:  # a damaged file can raise anything
            log.warning("cache: %s is damaged (%s); files are read again", self.store, error)
            return {}


def file_digest(path: Path) -> str:
    """Digest of one file, read now."""
    check_regular(path)
    with path.open("rb") as file:
        return hashlib.file_digest(file, partial(hashlib.blake2b, digest_size=16)).hexdigest()


def _content(path: Path) -> str:
    try:
        return file_digest(existing(path))
    except (OSError, DataError) as error:
        return f"unreadable: {error}"


def _stamp(path: Path) -> Stamp | None:
    try:
        status = existing(path).stat()  # `.JPG` for `.jpg`, perhaps
    except (OSError, DataError):
        return None
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino
