"""The error on a table that has other names of columns, with those that are likely."""

import re
from pathlib import Path

import pandas as pd

from datamodules.errors import BadFileError
from datamodules.formats.tables import MOST_NAMED
from datamodules.readers.column_hints import likely_columns
from datamodules.readers.folder_item import IMAGES
from datamodules.readers.one_hot import one_hot_columns
from datamodules.readers.setting import setting
from records.first_of import first_of

UNNAMED = re.compile(r"Unnamed: \d+")  # as pandas calls a column without a name


def missing_columns(
    file: Path, root: Path, table: pd.DataFrame, named: tuple[str, ...], has_group: bool
) -> BadFileError:
    """What the table lacks of the path column and the label columns in `named`, and has instead."""
    blank = [name for name in table if UNNAMED.match(str(name)) and not any(table[name].fillna(""))]
    table = table.drop(columns=blank)
    has = [str(name) for name in table.columns]
    lower = [name.lower() for name in has]
    shown = first_of(has, MOST_NAMED)
    if any(name.endswith(IMAGES) for name in lower):  # else the first image would be lost
        return BadFileError(
            file,
            f"has no names of columns in its first row ({shown}).",
            "Write a row with the names above it, such as path,label.",
        )
    missing = [name for name in named if name.lower() not in lower]
    lacks = " and no column ".join(f"`{name}`" for name in missing)
    return BadFileError(
        file,
        f"has no column {lacks} (it has {shown}).",
        _advice(root, table, named, missing, has_group),
    )


def _advice(
    root: Path, table: pd.DataFrame, named: tuple[str, ...], missing: list[str], has_group: bool
) -> str:
    if len(table.columns) == 1:
        return "Separate its columns by commas, semicolons or tabs, and name them path,label."
    likely = likely_columns(table, root)
    path, *labels = named
    words = []
    if path in missing and "path" in likely:
        words.append(setting("data.reader.path_column", likely["path"]))
    if any(name in missing for name in labels):
        others = (likely.get("path"), likely.get("group"))
        if ones := one_hot_columns(table, others):
            words.append(setting("data.reader.label_column", ones))
        elif "label" in likely:
            words.append(setting("data.reader.label_column", likely["label"]))
    if not has_group and "group" in likely:
        words.append(setting("data.reader.group_column", likely["group"]))
    if not words:
        return "Name them: data.reader.path_column=... data.reader.label_column=..."
    return f"By their content: {' '.join(words)}."
