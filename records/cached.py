"""Results cached in files by their identity: all they depend on, in plain containers.

A file has identity, result and checksums; a damaged one is computed again. Processes may share a
cache: see `records.cache_entry`.
"""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from records.atomic import replacing, write_text
from records.cache_entry import cache_entry
from records.checkpoints import is_whole
from records.regular_file import check_regular

Result = TypeVar("Result")


def cached_json(
    folder: Path | None, identity: dict[str, Any], compute: Callable[[], dict[str, Any]]
) -> dict[str, Any]:
    """The result of `compute`, plain containers, cached as JSON; without a folder not cached.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> cached_json(folder, {"size": 8}, lambda: {"answer": 1.5})
    {'answer': 1.5}
    >>> cached_json(folder, {"size": 8}, lambda: {"answer": 2.5})
    {'answer': 1.5}
    """

    def load(path: Path) -> tuple[str, dict[str, Any]]:
        check_regular(path)
        entry = json.loads(path.read_text())
        if entry.get("checksum") != _sha256(_as_text(entry["result"])):
            raise ValueError("its checksum differs")
        return _as_text(entry["identity"]), entry["result"]

    def save(path: Path, _: str, result: dict[str, Any]) -> None:
        entry = {"identity": identity, "checksum": _sha256(_as_text(result)), "result": result}
        write_text(path, json.dumps(entry, indent=1))

    return _cached(folder, identity, ".json", compute, load, save)


def cached_archive(
    folder: Path | None,
    identity: dict[str, Any],
    compute: Callable[[], Result],
    load: Callable[[Path], tuple[str, Result]],
    save: Callable[[Path, str, Result], None],
) -> Result:
    """The result of `compute`, cached as a zip archive, torch's file format.

    `load` and `save` read and write the identity, as text, and the result.
    """

    def load_whole(path: Path) -> tuple[str, Result]:
        if path.exists() and not is_whole(path):  # torch does not check the checksums
            raise ValueError("its checksums differ")
        return load(path)

    def replace(path: Path, identity: str, result: Result) -> None:
        with replacing(path) as temporary:
            try:
                save(temporary, identity, result)
            except RuntimeError as error:  # torch's error on a full disk
                raise OSError(str(error).splitlines()[0]) from error

    return _cached(folder, identity, ".pt", compute, load_whole, replace)


def _cached(
    folder: Path | None,
    identity: dict[str, Any],
    suffix: str,
    compute: Callable[[], Result],
    load: Callable[[Path], tuple[str, Result]],
    save: Callable[[Path, str, Result], None],
) -> Result:
    if folder is None:
        return compute()
    text = _as_text(identity)

    def read(path: Path) -> Result | None:
        found, result = load(path)
        return result if found == text else None

    path = folder / f"{_sha256(text)}{suffix}"
    return cache_entry(path, read, compute, lambda path, result: save(path, text, result))


def _as_text(node: dict[str, Any]) -> str:
    return json.dumps(node, sort_keys=True)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
