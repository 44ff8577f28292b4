"""Groups of DICOM files from the patient in their headers."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from datamodules.formats.dicom_headers import read_headers
from datamodules.identity import stamp
from datamodules.readers.folder_item import Item
from records.counted import counted

FEWEST = 0.95  # share of files with a patient; the others are unreadable, or secondary captures

TAGS = ("PatientID", "NumberOfFrames")

# by stamp: a command lists a set several times, and a header takes about a millisecond
_headers: dict[tuple[str, int, int, int], tuple[str, bool]] = {}  # patient; several frames


def with_patients(items: list[Item]) -> tuple[list[Item], tuple[str, ...]]:
    """The items with their PatientID as group, and a note; unchanged unless all are DICOM.

    Images of one patient in training and test set measure memory, and every DICOM file should name
    its patient; one that does not is its own group. Groups from a table or path take precedence.
    Another note counts files of several frames.
    """
    is_open = bool(items) and all(item.group is None and item.is_dicom for item in items)
    if not is_open:
        return items, ()
    headers = _headers_of([item.path for item in items])
    patients = [patient for patient, _ in headers]
    known = [patient for patient in patients if patient]
    series = sum(has_frames for _, has_frames in headers)
    frames = [f"{counted(series, 'file')} of several frames: only the first is read"] * (series > 0)
    if len(known) < FEWEST * len(items):
        count = f"{len(items) - len(known):,} of {counted(len(items), 'DICOM file')}"
        note = f"{count} have no PatientID, so it is not used for groups"
        return items, (*((note,) if known else ()), *frames)
    if len(set(known)) == 1:
        note = "all DICOM files have the same PatientID, so it is not used for groups"
        return items, (note, *frames)
    note = f"groups are the PatientID of the DICOM files: {counted(len(set(known)), 'patient')}"
    if len(known) < len(items):
        note += f", and {counted(len(items) - len(known), 'file')} without one, each its own group"
    grouped = [replace(item, group=own or None) for item, own in zip(items, patients, strict=True)]
    return grouped, (note, *frames)


def _headers_of(files: Sequence[Path]) -> list[tuple[str, bool]]:
    """The PatientID of every file, '' where there is none, and whether it has several frames."""
    stamps = [stamp(file) if file.is_file() else (str(file), 0, 0, 0) for file in files]
    new = [(one, file) for one, file in zip(stamps, files, strict=True) if one not in _headers]
    if new:
        found = read_headers([file for _, file in new], TAGS)
        patients = found["PatientID"].str.strip()
        has_frames = ~found["NumberOfFrames"].str.strip().isin(("", "0", "1"))
        both = zip(patients.tolist(), has_frames.tolist(), strict=True)
        _headers.update(zip((one for one, _ in new), both, strict=True))
    return [_headers[one] for one in stamps]
