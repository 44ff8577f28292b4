"""RSNA's label file: six rows per image, 4.5 million in all, into one row per image."""

from pathlib import Path

import numpy as np
import pandas as pd

from datamodules.errors import BadFileError
from datamodules.formats.tables import read_table

KINDS = ("any", "epidural", "intraparenchymal", "intraventricular", "subarachnoid", "subdural")


def read_labels(csv: Path) -> tuple[pd.DataFrame, int, int]:
    """(images x kinds) of 0 and 1, numbers of repeated rows and of contradictory images.

    A row is `ID_12cadc6af_epidural,0`. Splitting at "_" leaves twelve distinct tails, which the
    parser stores as categories: 4.5 million rows take seconds.
    """
    _check_header(csv)
    types = {"prefix": "category", "image": str, "tail": "category"}
    try:
        rows = pd.read_csv(csv, sep="_", skiprows=1, names=list(types), dtype=types)
    except ValueError as error:  # pandas' parser errors are values
        raise BadFileError(
            csv, f"is not in Kaggle's format ({error}).", "Download it again."
        ) from error
    tails = rows["tail"].cat.categories.str.split(",", n=1, expand=True).to_frame(index=False)
    kinds = pd.Categorical(tails[0], categories=KINDS).codes.astype(np.int64)
    values = pd.to_numeric(tails[1], errors="coerce").to_numpy()
    code = rows["tail"].cat.codes.to_numpy()
    wrong = np.flatnonzero((code < 0) | (kinds[code] < 0) | ~np.isin(values[code], (0, 1)))
    if wrong.size:
        raise BadFileError(
            f"{csv}, row {wrong[0] + 2}",
            "is not of the form `ID_<image>_<kind>,<0 or 1>`.",
            f"Kinds are {', '.join(KINDS)}.",
        )
    number, images = pd.factorize(rows["image"])
    seen = np.zeros((len(images), len(KINDS), 2), np.int64)
    np.add.at(seen, (number, kinds[code], values[code].astype(np.int64)), 1)
    contradictory = np.any(np.all(seen > 0, axis=2), axis=1)
    complete = np.all(np.any(seen > 0, axis=2), axis=1)
    table = pd.DataFrame((seen[:, :, 1] > 0).astype(np.int64), "ID_" + images, KINDS)
    repeated = len(rows) - int((seen > 0).sum())
    return table[complete & ~contradictory], repeated, int(contradictory.sum())


def _check_header(csv: Path) -> None:
    with csv.open() as file:
        header = file.readline()
    if [name.strip().lower() for name in header.split(",")] != ["id", "label"]:
        read_table(csv, ["ID", "Label"])  # reports a missing column
