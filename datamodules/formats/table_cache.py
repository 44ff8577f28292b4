"""Cache of tables that take minutes to build (headers, segmentations, 50 MB of Excel).

An entry is a csv below one line with the number of rows and their checksum, so that a short or
damaged entry is detected and built again. One process builds and writes; others that need the same
table wait for it. A complete entry is read without a lock.
"""

import hashlib
import io
import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd

from datamodules.identity import digest
from records.atomic import replacing
from records.cache_entry import cache_entry
from records.regular_file import check_regular


def cached_table(
    folder: str | None, name: str, identity: object, make: Callable[[], pd.DataFrame]
) -> pd.DataFrame:
    """The result of `make()`, cached on disk; every value is text.

    Args:
        folder: of the cache (`${paths.cache}/index`); None does not cache.
        name: of the table, the first part of its file name.
        identity: everything the table depends on; another identity is another file.
        make: builds it.
    """
    if folder is None:
        return _as_text(make())
    path = Path(folder).expanduser() / f"{name}-{digest(identity)}.table"
    return cache_entry(path, _read, lambda: _as_text(make()), _write)


def _as_text(table: pd.DataFrame) -> pd.DataFrame:
    """As read from disk: text, rows numbered from 0."""
    return table.astype(str).reset_index(drop=True)


def _write(path: Path, table: pd.DataFrame) -> None:
    for left in path.parent.glob(f".{path.name}.*.tmp"):  # left by killed writers
        left.unlink(missing_ok=True)
    content = table.to_csv(index=False).encode()
    head = json.dumps({"rows": len(table), "checksum": _checksum(content)})
    with replacing(path, unique=True) as temporary:
        temporary.write_bytes(head.encode() + b"\n" + content)


def _read(path: Path) -> pd.DataFrame:
    check_regular(path)
    head, _, content = path.read_bytes().partition(b"\n")
    expected = json.loads(head)
    if expected["checksum"] != _checksum(content):
        raise ValueError("its checksum differs")
    table = pd.read_csv(io.BytesIO(content), dtype=str, keep_default_na=False)
    if len(table) != expected["rows"]:
        raise ValueError(f"{len(table)} rows instead of {expected['rows']}")
    return table


def _checksum(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()
