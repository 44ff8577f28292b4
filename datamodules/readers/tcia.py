"""Collections of The Cancer Imaging Archive: patient / study / series folders of DICOM slices.

Retrievers name these folders by UID ("classic") or by description; `metadata.csv` may be beside
them.
"""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from datamodules.formats.dicom_headers import read_headers
from datamodules.formats.table_cache import cached_table
from datamodules.readers.origin import Origin


def collection(root: Path, name: str, size: str) -> Path:
    """The folder `name` of the collection: `root` itself or below it, in a manifest folder or not.

    `size` describes the download in the error message.
    """
    if root.name == name and root.is_dir():
        return root
    origin = Origin(
        name,
        f"https://www.cancerimagingarchive.net (collection {name}, {size}), with the NBIA Data "
        "Retriever or from the Imaging Data Commons; take the tables of the same page too.",
        f"manifest-<n>/{name}/<patient>/<study>/<series>/1-001.dcm\n"
        f"manifest-<n>/metadata.csv    (optional)\n"
        f"*.xlsx                       (tables of the collection's page, anywhere near)",
    )
    return origin.find(root, name, f"the folder `{name}`")


def series(folder: Path, index: str | None) -> pd.DataFrame:
    """Every series below `folder`: its path, time, SeriesInstanceUID and a SOPInstanceUID of it.

    One header per series is read. The table is cached in the folder `index` until a series folder
    is added, removed or changed; single slices are not checked (there may be a million).
    """
    paths = [path for path in sorted(folder.glob("*/*/*")) if path.is_dir()]
    times = [path.stat().st_mtime_ns for path in paths]

    def gather() -> pd.DataFrame:
        first = {path: next(iter(slices(path)), None) for path in paths}
        files = [file for file in first.values() if file]
        uids = read_headers(files, ["SeriesInstanceUID", "SOPInstanceUID"])
        uids.insert(0, "folder", [str(path) for path, file in first.items() if file])
        uids.insert(1, "time", [t for t, file in zip(times, first.values(), strict=True) if file])
        return uids

    return cached_table(
        index, "series", [(str(p), t) for p, t in zip(paths, times, strict=True)], gather
    )


def slice_headers(chosen: pd.DataFrame, tags: Sequence[str], index: str | None) -> pd.DataFrame:
    """Tags of every slice of the chosen rows of `series`, with `folder` and `file`; also cached."""

    def gather() -> pd.DataFrame:
        files = [file for folder in chosen["folder"] for file in slices(Path(folder))]
        table = read_headers(files, tags)
        table["folder"] = [str(file.parent) for file in files]
        table["file"] = [str(file) for file in files]
        return table

    identity = [list(tags), chosen[["folder", "time"]].to_numpy().tolist()]
    return cached_table(index, "slices", identity, gather)


def slices(folder: Path) -> list[Path]:
    """The DICOM files of one series, sorted by name; without the hidden files of macOS."""
    return sorted(
        path
        for path in folder.iterdir()
        if path.suffix.lower() == ".dcm" and not path.name.startswith(".")
    )
