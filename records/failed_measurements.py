"""Measurements that failed in a run, kept in its record until they succeed."""

from typing import Any

from records.run_folder import RunFolder

FAILED = "failed_measurements"


def add_failure(folder: RunFolder, probe: str, epoch: int, last: bool, text: str) -> None:
    """Record that a probe failed at this epoch; `last`: at the end of training.

    A measurement that fails again keeps its position: a run that was killed and resumed has the
    same notes in the same order as one that was not.
    """
    record = folder.own()
    entry = {"probe": probe, "epoch": epoch, "last": last, "note": text}
    failures, before = record.get(FAILED, []), _notes(record, probe, epoch)
    notes = [text if one in before else one for one in record.get("notes", [])]
    failures = [entry if _is(one, probe, epoch) else one for one in failures]
    if not before:
        failures = [*failures, entry]
    if text not in notes:
        notes = [*notes, text]
    folder.update(**{FAILED: failures, "notes": notes})


def remove_failure(folder: RunFolder, probe: str, epoch: int) -> None:
    """Remove a failure and its note: the measurement has succeeded since."""
    record = folder.own()
    kept = [one for one in record.get(FAILED, []) if not _is(one, probe, epoch)]
    if len(kept) != len(record.get(FAILED, [])):
        gone = _notes(record, probe, epoch)
        notes = [one for one in record.get("notes", []) if one not in gone]
        folder.update(**{FAILED: kept, "notes": notes})


def _notes(record: dict[str, Any], probe: str, epoch: int) -> list[str]:
    return [one["note"] for one in record.get(FAILED, []) if _is(one, probe, epoch)]


def _is(entry: dict[str, Any], probe: str, epoch: int) -> bool:
    return bool(entry["probe"] == probe and entry["epoch"] == epoch)
