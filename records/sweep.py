"""What a sweep set out to do, kept beside its runs: the keys of all, begun or not."""

import contextlib
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from records.atomic import write_text

FOLDER = "sweeps"


def sweep_id(keys: Sequence[str]) -> str:
    """The name of a sweep: a function of its runs.

    >>> sweep_id(["b", "a"]) == sweep_id(["a", "b"])
    True
    """
    return hashlib.sha256(" ".join(sorted(keys)).encode()).hexdigest()[:8]


def write_sweep(runs: Sequence[Path], command: str) -> None:
    """Note the runs of a command, given by their folders, in `runs/<name>/sweeps/<id>.json`.

    Where that cannot be written there is no note: the runs themselves will say why.
    """
    name = sweep_id([path.name for path in runs])
    for folder in sorted({path.parent for path in runs}):
        keys = [path.name for path in runs if path.parent == folder]
        text = json.dumps({"command": command, "runs": keys}, indent=1)
        with contextlib.suppress(OSError):
            write_text(folder / FOLDER / f"{name}.json", text)


def planned_below(folder: Path) -> set[Path]:
    """The folders of all runs that sweeps below a folder set out to make.

    A note that cannot be read is passed over: it only tells what was meant, not what is.
    """
    planned = set()
    for note in folder.rglob(f"{FOLDER}/*.json"):
        try:
            planned |= {note.parents[1] / key for key in json.loads(note.read_text())["runs"]}
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return planned
