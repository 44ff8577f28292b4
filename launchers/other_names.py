"""Runs that are finished under another `name`: the same key in another folder."""

import logging
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from conf.run_plan import RunPlan
from records.counted import counted
from records.key import parse_key
from records.run_folder import RunFolder
from records.status import FINISHED

log = logging.getLogger(__name__)


def report_other_names(runs: Sequence[RunPlan]) -> None:
    """Report runs, about to start, that are finished under another `name`.

    A finished run is skipped under its own name only, so that the folder of each name is complete;
    the analysis counts the same key once.
    """
    if not runs:
        return
    others = list(_folders(runs[0].runs_folder))
    found: dict[str, str] = {}
    for run in runs:
        for folder in others:
            if folder == run.folder.parent or not (folder / run.key).is_dir():
                continue
            record = RunFolder(folder / run.key).read()
            if record is not None and record["status"] in FINISHED:
                found[run.key] = str(folder.relative_to(runs[0].runs_folder))
    if found:
        done = f"{counted(len(found), 'run')} {'is' if len(found) == 1 else 'are'}"
        log.warning(
            "%s finished under name=%s and will be repeated here; an analysis of both folders "
            "counts each once.",
            done,
            ", ".join(sorted(set(found.values()))),
        )


def _folders(runs_folder: Path) -> Iterator[Path]:
    """The folders of all names: those that contain runs."""
    for place, inside, _ in os.walk(runs_folder):
        keys = [name for name in inside if parse_key(name)]
        inside[:] = [name for name in inside if not parse_key(name)]
        if keys:
            yield Path(place)
