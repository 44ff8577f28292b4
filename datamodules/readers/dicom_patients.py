"""Groups of DICOM files from the patient in their headers."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from datamodules.formats.dicom_headers import read_headers
from datamodules.identity import stamp
from datamodules.readers.folder_item import Item
from records.counted import counted

FEWEST = 0.95  # share of files with a patient; the others are unreadable, or secondary captures

# by stamp: a command lists a set several times, and a header takes about a millisecond
_patients: dict[tuple[str, int, int, int], str] = {}


def with_patients(items: list[Item]) -> tuple[list[Item], tuple[str, ...]]:
    """The items with their PatientID as group, and a note; unchanged unless all are DICOM.

    Images of one patient in training and test set measure memory, and every DICOM file should name
    its patient; one that does not is its own group. Groups from a table or path take precedence.
    """
    is_open = bool(items) and all(item.group is None and item.is_dicom for item in items)
    if not is_open:
        return items, ()
    patients = _patients_of([item.path for item in items])
    known = [patient for patient in patients if patient]
    if len(known) < FEWEST * len(items):
        count = f"{len(items) - len(known):,} of {counted(len(items), 'DICOM file')}"
        return items, (f"{count} have no PatientID, so it is not used for groups",) if known else ()
    if len(set(known)) == 1:
        return items, ("all DICOM files have the same PatientID, so it is not used for groups",)
    note = f"groups are the PatientID of the DICOM files: {counted(len(set(known)), 'patient')}"
    if len(known) < len(items):
        note += f", and {counted(len(items) - len(known), 'file')} without one, each its own group"
    grouped = [replace(item, group=own or None) for item, own in zip(items, patients, strict=True)]
    return grouped, (note,)


def _patients_of(files: Sequence[Path]) -> list[str]:
    """The PatientID of every file, '' where there is none."""
    stamps = [stamp(file) if file.is_file() else (str(file), 0, 0, 0) for file in files]
    new = [(one, file) for one, file in zip(stamps, files, strict=True) if one not in _patients]
    if new:
        found = read_headers([file for _, file in new], ["PatientID"])["PatientID"]
        texts = (text.strip() for text in found)
        _patients.update(zip((one for one, _ in new), texts, strict=True))
    return [_patients[one] for one in stamps]
