"""Earlier runs with the same settings on other data, and how the data changed since."""

import contextlib
import logging
import re
import shutil
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from conf.run_plan import RunPlan
from records.counted import counted
from records.data_identity import change_between, data_seen, read_manifest
from records.key import canonical
from records.reader import Record
from records.run_folder import RunFolder, now
from records.status import FINISHED

log = logging.getLogger(__name__)

ALL = "n=all"
HASH = 8  # digits at the end of a key


def report_other_data(runs: Sequence[RunPlan], before: Sequence[Record | None]) -> None:
    """Report earlier runs on data that have changed since.

    A run of the command that had a record `before` is on the present data. Runs on images in
    another folder are on another data set, not on one that changed.
    """
    names = cache(_names_by_settings)
    found: dict[tuple[Path, str, str, str], list[tuple[RunPlan, str]]] = defaultdict(list)
    for run, record in zip(runs, before, strict=True):
        if record is not None or run.data is None:
            continue
        others = _others(run, names(run.folder.parent))
        edited = (other for other in others if _root(other[1]["settings"]) == _root(run.settings))
        last = max(edited, key=_ended, default=None)
        if last is not None:
            folder, other = last
            status = "done" if other["status"] in FINISHED else "started"
            case = (run.folder.parent, str(other["data_fingerprint"]), run.data.fingerprint, status)
            found[case].append((run, folder.name))
    for (parent, old, _, status), pairs in found.items():
        run, name = pairs[0]
        manifest = read_manifest(parent, old)
        change = "how they differ is not known, because their list of images was removed"
        if manifest is not None and run.data is not None:
            change = change_between(manifest, run.data.manifest())
        message = (
            "%s was %s on other images or labels (%s). It is kept; this command starts a new run."
        )
        if len(pairs) > 1:
            name = counted(len(pairs), "run")
            message = (
                "%s were %s on other images or labels (%s). They are kept; this command starts new "
                "runs."
            )
        log.warning(message, name, status, change)


def confirm_data(runs: Sequence[RunPlan], before: Sequence[Record | None]) -> None:
    """Note in the records of finished runs that their data are the present ones again.

    Data that were edited and then restored have a later run on the edited state; without this the
    analysis would use that run.
    """
    names = cache(_names_by_settings)
    for run, record in zip(runs, before, strict=True):
        if record is None or run.data is None or record["status"] not in FINISHED:
            continue
        others = _others(run, names(run.folder.parent))
        if any(data_seen(other) >= data_seen(record) for _, other in others):
            folder = RunFolder(run.folder)
            with contextlib.suppress(OSError), folder.lock():
                folder.update(data_confirmed=now("milliseconds"))


def forget_failures_without_data(run: RunPlan) -> None:
    """Remove the record of an attempt that failed because the data did not exist.

    Its key has no data, so no later run would replace it.
    """
    folder = RunPlan(run.plain, run.make, run.overrides).folder  # the key without data
    record = RunFolder(folder).read()
    if record and record.get("status") == "failed" and record.get("bad_data"):
        with RunFolder(folder).lock():
            shutil.rmtree(folder, ignore_errors=True)


def _names_by_settings(parent: Path) -> dict[str, list[str]]:
    """Keys of the runs in a folder, by the key without its hash, and without hash and n."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(parent.iterdir()) if parent.is_dir() else ():
        for name in {path.name[:-HASH], _without_n(path.name)}:
            found[name].append(path.name)
    return found


def _without_n(key: str) -> str:
    return re.sub(r"-n\d+-s(\d+-)$", r"-s\1", key[:-HASH])


def _root(settings: Mapping[str, Any]) -> object:
    return settings["data"].get("root")


def _ended(found: tuple[Path, Record]) -> str:
    record = found[1]
    return str(record.get("finished") or record.get("started"))


def _others(run: RunPlan, names: dict[str, list[str]]) -> Iterator[tuple[Path, Record]]:
    """Folders and records of runs with the same settings as this one, on other data."""
    assert run.data is not None
    places = run.data.replaces
    takes_all = ALL in run.overrides
    for name in names.get(_without_n(run.key) if takes_all else run.key[:-HASH], []):
        folder = run.folder.parent / name
        record = RunFolder(folder).read()
        if record is None or not record.get("data_fingerprint") or name == run.key:
            continue
        # the number of all images changes if one is added or removed
        also_all = takes_all and ALL in str(record.get("command")).split()
        left_out = (*places, "n") if also_all else places
        if canonical(record.get("settings") or {}, left_out) == canonical(run.settings, left_out):
            yield folder, record
