"""Tables that take minutes to gather (headers, segmentations, 50 MB of Excel), gathered once."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd

from records.atomic import replacing


def cached_table(
    folder: str | None, name: str, identity: object, make: Callable[[], pd.DataFrame]
) -> pd.DataFrame:
    """What `make()` gives, kept on disk as csv; every value is text.

    Args:
        folder: where to keep it (`${paths.cache}/index`); None keeps nothing.
        name: of the table, the first part of its file name.
        identity: everything the table depends on; another identity is another file.
        make: gathers it.
    """
    digest = hashlib.sha256(json.dumps(identity, sort_keys=True, default=str).encode()).hexdigest()
    path = None if folder is None else Path(folder).expanduser() / f"{name}-{digest[:16]}.csv"
    if path is None or not path.exists():
        table = make().astype(str)
        if path is None:
            return table
        with replacing(path) as temporary:
            table.to_csv(temporary, index=False)
    return pd.read_csv(path, dtype=str, keep_default_na=False)


def stamp(path: Path) -> tuple[str, int, int]:
    """Name, size and time of a file: what changes when its content does."""
    status = path.stat()
    return str(path), status.st_size, status.st_mtime_ns


def fingerprint(*parts: object) -> str:
    """A short digest of stamps and options, for a listing's cache key."""
    text = json.dumps(parts, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
