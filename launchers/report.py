"""The outcome of a command: tables, reasons of failures, the exit code."""

import logging
from collections import Counter
from collections.abc import Sequence

from display.console import console
from display.table import show_notes, show_run, show_sweep
from records.attempt import other_versions, outcome
from records.counted import counted
from records.provenance import git
from records.reader import Record
from records.run_folder import RunFolder
from records.status import EXIT_REFUSED, FINISHED, exit_code

log = logging.getLogger(__name__)

OFFLINE = "wandb/offline-run-*"


def report(
    folders: Sequence[RunFolder],
    before: Sequence[Record | None],
    after: Sequence[Record | None],
    quiet: bool = False,
) -> int:
    """Print the table of the run, or of all runs of the sweep; returns the exit code.

    0: all are done; 3: all are finished, some with warnings or diverged; 2: the data of those that
    failed are missing or bad; 1: anything else.
    """
    records: list[Record] = [record or {"status": "not started"} for record in after]
    failed = [(f, r) for f, r in zip(folders, records, strict=True) if r["status"] == "failed"]
    if not quiet:
        if len(folders) > 1:
            triples = zip(folders, before, after, strict=True)
            words = [outcome(b, a, folder.is_held()) for folder, b, a in triples]
            show_sweep([folder.path for folder in folders], words, records, console)
        elif records[0]["status"] in FINISHED:
            show_run(folders[0], console)
        else:  # without a table
            show_notes(records[0], console)
        for folder, record in failed:
            log.error("\n%s failed: %s", folder.path.name, record["error"])
            if not record["bad_data"]:
                log.error("Traceback: %s", ", ".join(map(str, folder.tracebacks())))
        show_warnings(records)
        show_offline([f for f, b, a in zip(folders, before, after, strict=True) if a != b])
        if others := other_versions(after, "git.commit", git()["commit"]):
            commits = ", ".join(commit[:8] for commit in others)
            log.info("Made by other versions of this code: commit %s.", commits)
    if failed and all(record["bad_data"] for _, record in failed):
        return EXIT_REFUSED
    return exit_code(record["status"] for record in records)


def show_offline(folders: Sequence[RunFolder]) -> None:
    """Print how to upload the W&B runs of this command, if they are offline."""
    kept = [folder.path for folder in folders if any(folder.path.glob(OFFLINE))]
    if kept:
        place = kept[0] if len(kept) == 1 else kept[0].parent / "*"
        log.info("W&B runs are offline; to upload: wandb sync %s/%s", place, OFFLINE)


def show_warnings(records: Sequence[Record]) -> None:
    """Print what to do about runs that are done with warnings or diverged."""
    counts = Counter(record["status"] for record in records)
    if number := counts["done with warnings"]:
        log.warning(
            "%s done with warnings: measurements failed, as the notes say. Rerun the command to "
            "repeat them, without training.",
            counted(number, "run"),
        )
    if number := counts["diverged"]:
        log.warning("%s diverged: left out of laws and figures.", counted(number, "run"))
