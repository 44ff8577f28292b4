"""Collections of The Cancer Imaging Archive: patient / study / series folders of DICOM slices.

Retrievers name these folders by UID ("classic") or by description; `metadata.csv` may lie beside.
"""

import re
from pathlib import Path

import pandas as pd

from datamodules.errors import DataNotFoundError
from datamodules.readers.dicom_headers import headers
from datamodules.readers.locate import find, folders

CLASSIC = re.compile(r"\d+(\.\d+){4,}")


def collection(root: Path, name: str, size: str) -> Path:
    """The collection's own folder, in a manifest folder or not.

    Args:
        root: where the user says it is; may be the folder itself.
        name: of the collection, which is also the folder's.
        size: of the download, to tell someone who has not got it.
    """
    if root.name == name and root.is_dir():
        return root
    folder = find(root, name)
    if folder is None:
        raise DataNotFoundError(
            name,
            root,
            f"the folder `{name}`",
            f"https://www.cancerimagingarchive.net (collection {name}, {size}), with the NBIA Data "
            "Retriever or from the Imaging Data Commons; take the tables of the same page too.",
            f"manifest-<n>/{name}/<patient>/<study>/<series>/1-001.dcm\n"
            f"manifest-<n>/metadata.csv    (optional)\n"
            f"*.xlsx                       (tables of the collection's page, anywhere near)",
        )
    return folder


def series(folder: Path, index: str | None) -> pd.DataFrame:
    """Every series below `folder`: its path, first file and SeriesInstanceUID.

    The UID is the folder's name in the classic style; otherwise one header per series tells it.

    Args:
        folder: of the collection.
        index: folder where headers are kept.
    """
    found = [
        (here, here / next(name for name in files if _is_slice(name)))
        for here, _, files in folders(folder)
        if any(_is_slice(name) for name in files)
    ]
    table = pd.DataFrame(found, columns=["folder", "first"])
    table["uid"] = [here.name if CLASSIC.fullmatch(here.name) else "" for here in table["folder"]]
    unnamed = table["uid"] == ""
    if unnamed.any():
        read = headers(table.loc[unnamed, "first"].tolist(), ["SeriesInstanceUID"], index)
        table.loc[unnamed, "uid"] = read["SeriesInstanceUID"].to_numpy()
    return table


def slices(folder: Path) -> list[Path]:
    """The DICOM files of one series, sorted by name."""
    return sorted(path for path in folder.iterdir() if _is_slice(path.name))


def _is_slice(name: str) -> bool:
    return name.lower().endswith(".dcm") and not name.startswith(".")
