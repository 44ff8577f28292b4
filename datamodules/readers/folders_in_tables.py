"""Class folders that a table in the root names: then they may be patients."""

from collections.abc import Set
from pathlib import Path

from datamodules.errors import DataError
from datamodules.formats.tables import whole_table
from datamodules.readers.column_hints import likely_columns
from datamodules.readers.setting import setting
from datamodules.readers.tables_below import tables_in
from records.counted import counted

LARGEST = 2**24  # bytes of a table that is looked at
FEWEST = 3  # folders; fewer are classes


def folders_in_tables(root: Path, names: Set[str]) -> tuple[str, ...]:
    """Warnings on tables with a row for each class folder and fewer labels than folders."""
    if len(names) < FEWEST:
        return ()
    found = (_warning(root, names, file) for file in tables_in(root))
    return tuple(warning for warning in found if warning)


def _warning(root: Path, names: Set[str], file: Path) -> str:
    if file.stat().st_size > LARGEST:
        return ""
    try:
        table = whole_table(file, separator=None)
    except DataError:  # a text that is no table
        return ""
    like = likely_columns(table, root)
    if not {"path", "label"} <= set(like):
        return ""
    rows = table[table[like["path"]].astype(str).str.strip().isin(names)]
    labels = rows[like["label"]].nunique()
    if set(rows[like["path"]].astype(str).str.strip()) != names or not 1 < labels < len(names) / 2:
        return ""
    words = [setting("data.reader.labels", file.name)]
    words += [setting(f"data.reader.{part}_column", like[part]) for part in ("path", "label")]
    return (
        f"the {len(names)} class folders are rows of {file.name}, which has "
        f"{counted(labels, 'label')} in `{like['label']}`; if the folders are patients or the "
        f"like: {' '.join(words)}"
    )
