"""Single tags of many DICOM files, gathered once and kept."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import pydicom

from datamodules.readers.table_cache import cached_table, stamp


def headers(files: Sequence[Path], tags: Sequence[str], folder: str | None) -> pd.DataFrame:
    """The named tags of every file as text, '' where one is missing; kept on disk.

    A header costs about a millisecond and a disk seek, so an archive of 100,000 slices takes
    minutes; hence the cache. Unreadable files have '' in every column.

    Args:
        files: DICOM files.
        tags: keywords, such as `PatientID`.
        folder: of the cache; None reads them anew every time.
    """

    def gather() -> pd.DataFrame:
        return pd.DataFrame([_tags(file, tags) for file in files], columns=list(tags))

    return cached_table(folder, "headers", [list(tags), [stamp(file) for file in files]], gather)


def _tags(path: Path, tags: Sequence[str]) -> list[str]:
    try:
        header = pydicom.dcmread(path, stop_before_pixels=True, specific_tags=list(tags))
    except Exception:  # a broken header raises almost anything; decode() tells what it was
        return [""] * len(tags)
    return [_text(header.get(tag)) for tag in tags]


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, pydicom.multival.MultiValue):
        return "\\".join(str(part) for part in value)
    return str(value)
