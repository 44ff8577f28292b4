"""The plan of a sweep, saved beside its runs: the keys of all runs, started or not."""

import contextlib
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from records.atomic import write_text
from records.reader import LARGEST, read_bytes

FOLDER = "sweeps"


def sweep_id(keys: Sequence[str]) -> str:
    """The name of a sweep: a function of its runs.

    >>> sweep_id(["b", "a"]) == sweep_id(["a", "b"])
    True
    """
    return hashlib.sha256(" ".join(sorted(keys)).encode()).hexdigest()[:8]


def write_sweep(runs: Sequence[Path], command: str) -> None:
    """Write the run folders of a command to `runs/<name>/sweeps/<id>.json`.

    An earlier plan of the same command is removed: its keys belong to data that were edited since.
    If the file cannot be written it is skipped: the runs will report the reason.
    """
    name = sweep_id([path.name for path in runs])
    for folder in sorted({path.parent for path in runs}):
        keys = [path.name for path in runs if path.parent == folder]
        text = json.dumps({"command": command, "runs": keys}, indent=1)
        with contextlib.suppress(OSError):
            for file in (folder / FOLDER).glob("*.json"):
                if file.stem != name and read_plan(file)[0] == command:
                    file.unlink()
            write_text(folder / FOLDER / f"{name}.json", text)


def planned_below(folder: Path) -> set[Path]:
    """The folders of all runs planned by sweeps below a folder."""
    files = folder.rglob(f"{FOLDER}/*.json")
    return {file.parents[1] / key for file in files for key in read_plan(file)[1]}


def sweeps_in(folder: Path) -> list[tuple[str, list[str]]]:
    """Command and keys of every sweep with runs in a folder."""
    found = [read_plan(file) for file in sorted(folder.glob(f"{FOLDER}/*.json"))]
    return [(command, keys) for command, keys in found if keys]


def read_plan(file: Path) -> tuple[str, list[str]]:
    """Command and keys of a sweep; empty if the file cannot be read: it has no results."""
    try:
        content = json.loads(read_bytes(file, LARGEST))
        return str(content.get("command") or ""), [str(key) for key in content["runs"]]
    except Exception:  # a foreign file can raise anything: no JSON, nested too deep, a pipe
        return "", []
