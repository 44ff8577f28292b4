"""Results in plain containers, cached as JSON: computed once, by one process."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from records.atomic import write_text
from records.cache_entry import cached


def cached_json(
    folder: Path | None, identity: dict[str, Any], compute: Callable[[], dict[str, Any]]
) -> dict[str, Any]:
    """The result of `compute`, cached by identity.

    An entry is a JSON file with identity, result and checksum; a damaged entry is computed again.
    See `records.cache_entry` for processes that share it.

    Args:
        folder: of the cache; None computes every time.
        identity: everything the result depends on, in plain containers.
        compute: returns plain containers.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> cached_json(folder, {"size": 8}, lambda: {"answer": 1.5})
    {'answer': 1.5}
    >>> cached_json(folder, {"size": 8}, lambda: {"answer": 2.5})
    {'answer': 1.5}
    """
    return cached(folder, identity, ".json", _read, compute, _write)


def _read(path: Path) -> tuple[str, dict[str, Any]]:
    entry = json.loads(path.read_text())
    result: dict[str, Any] = entry["result"]
    if entry.get("checksum") != _checksum(result):
        raise ValueError("its checksum differs")
    return json.dumps(entry["identity"], sort_keys=True), result


def _write(path: Path, identity: str, result: dict[str, Any]) -> None:
    entry = {"identity": json.loads(identity), "checksum": _checksum(result), "result": result}
    write_text(path, json.dumps(entry, indent=1))


def _checksum(result: dict[str, Any]) -> str:
    """Of the result as it is read from disk."""
    text = json.dumps(result, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
