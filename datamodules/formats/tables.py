"""Label files: csv, text, Excel or SAS, columns found whatever their case, all values text."""

import difflib
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from datamodules.errors import BadFileError, reading
from datamodules.formats.encoding import WINDOWS, text_encoding
from datamodules.formats.excel import read_excel
from records.first_of import first_of

MOST_NAMED = 12  # columns that an error lists
LARGEST = 2**29  # bytes of a file; RSNA's 4.5 million rows take 120 million
LONGEST_LINE = 2**20  # bytes
SAS_ROWS = 10_000  # at a time
SEPARATORS = ",;\t"
NO_TEXT = (".xls", ".xlsx", ".sas7bdat")  # endings of tables with an encoding of their own


def read_table(
    path: Path,
    columns: Sequence[str],
    separator: str | None = ",",
    optional: Sequence[str] = (),
    way_out: str = "Is it the label file that the set came with?",
) -> pd.DataFrame:
    """The named columns of a label file, as stripped text; blanks are ''.

    Values stay text because the same score comes as `3`, `3.0`, `3: moderate` or ` `; `number`
    turns them into floats.

    The file is `.csv`, `.txt`, `.xlsx` or `.sas7bdat`; `optional` columns are '' throughout where
    it has none. `separator=None` takes the most frequent of comma, semicolon and tab in the first
    line.

    Raises:
        BadFileError: the file cannot be parsed, or lacks a column; the message lists those it has.
    """
    return take_columns(path, whole_table(path, separator), columns, optional, way_out)


def take_columns(
    path: Path, table: pd.DataFrame, columns: Sequence[str], optional: Sequence[str], way_out: str
) -> pd.DataFrame:
    """The named columns of a `whole_table`; see `read_table`."""
    by_lower = {name.lower(): name for name in reversed(table.columns)}
    chosen = {}
    for column in (*columns, *optional):
        if column.lower() in by_lower:
            chosen[column] = table[by_lower[column.lower()]].fillna("").astype(str).str.strip()
        elif column in columns:
            raise _no_column(path, column, list(table.columns), way_out)
        else:
            chosen[column] = pd.Series("", index=table.index)
    return pd.DataFrame(chosen)


def whole_table(
    path: Path, separator: str | None = ",", way_out: str = "Download it again."
) -> pd.DataFrame:
    """Every column of a label file, as it is written, under stripped names; see `read_table`.

    `way_out` is the advice on a file that is no table.
    """
    with reading(path, "cannot be read as a table", way_out):
        table = _parse(path, separator)
    table.columns = [str(name).strip().lstrip("\ufeff") for name in table.columns]
    return table


def number(text: pd.Series) -> pd.Series:
    """The number at the start of a text, NaN where there is none.

    >>> number(pd.Series(["3", "3.0", "2: Left", ".", "", "-1"])).tolist()
    [3.0, 3.0, 2.0, nan, nan, -1.0]
    """
    code, distinct = pd.factorize(text)  # a score has few values: parse each of them once
    begin = pd.Series(distinct, dtype=str).str.extract(r"^\s*([-+]?\d+(?:\.\d*)?)", expand=False)
    return pd.Series(begin.astype(float).to_numpy()[code], index=text.index)


def encoding_note(path: Path) -> tuple[str, ...]:
    """A note on a table whose encoding was guessed, so that its letters can be checked."""
    if path.suffix.lower() in NO_TEXT or text_encoding(path) != WINDOWS:
        return ()
    return (f"{path.name} is not UTF-8: read as {WINDOWS}; if letters are wrong, save it as UTF-8",)


def _parse(path: Path, separator: str | None) -> pd.DataFrame:
    suffix = path.suffix.lower()
    if path.stat().st_size > LARGEST:
        raise BadFileError(path, f"has more than {LARGEST:,} bytes.", "Is it a label file?")
    if suffix == ".xls":
        raise BadFileError(path, "has Excel's old format.", "Save it as .xlsx or .csv.")
    if suffix == ".xlsx":
        return read_excel(path)
    if suffix == ".sas7bdat":  # in parts: a header may claim any number of rows
        parts = pd.read_sas(path, encoding="latin-1", chunksize=SAS_ROWS)
        return pd.concat(list(parts)).reset_index(drop=True).astype(object)
    _check_lines(path)
    encoding = text_encoding(path)
    table = pd.read_csv(
        path,
        sep=separator or _separator(path, encoding),
        dtype=str,
        keep_default_na=False,
        encoding=encoding,
        compression=None,
    )
    return _without_index(path, table)


def _without_index(path: Path, table: pd.DataFrame) -> pd.DataFrame:
    """Fields under their own names: pandas moves them where rows have more fields than names.

    `a.png,cat,` has a third field, which is blank; one that is not blank has no name.
    """
    more = 0 if isinstance(table.index, pd.RangeIndex) else table.index.nlevels
    if not more:
        return table
    names = list(table.columns)
    fields = pd.concat([table.index.to_frame(index=False), table.reset_index(drop=True)], axis=1)
    if (fields.iloc[:, len(names) :].fillna("") != "").any(axis=None):
        reason = f"has rows of {fields.shape[1]} fields under {len(names)} names of columns."
        raise BadFileError(
            path, reason, "Name every column; quote values with a separator in them."
        )
    fields = fields.iloc[:, : len(names)]
    fields.columns = names
    return fields


def _separator(path: Path, encoding: str) -> str:
    """The most frequent of `SEPARATORS` in the first line; the first one where there is none."""
    with path.open(encoding=encoding) as lines:
        first = lines.readline()
    return max(SEPARATORS, key=first.count)


def _check_lines(path: Path) -> None:
    """Limit line length: the parser needs 24 bytes for each of millions of commas."""
    length = 0
    with path.open("rb") as file:
        while part := file.read(LONGEST_LINE):
            ends = [length + part.find(b"\n"), *([] if b"\n" in part else [length + len(part)])]
            if max(ends) > LONGEST_LINE:
                reason = f"has a line of more than {LONGEST_LINE:,} bytes."
                raise BadFileError(path, reason, "Is it a label file?")
            length = len(part) - part.rfind(b"\n") - 1 if b"\n" in part else length + len(part)


def _no_column(path: Path, column: str, columns: list[str], way_out: str) -> BadFileError:
    lower = {name.lower(): name for name in columns}
    near = difflib.get_close_matches(column.lower(), lower, n=1, cutoff=0.0)
    hint = f"the nearest is `{lower[near[0]]}`" if near else "it has no columns"
    if len(columns) > 1:
        hint += f" (it has {first_of(columns, MOST_NAMED)})"
    return BadFileError(path, f"has no column `{column}`; {hint}.", way_out)
