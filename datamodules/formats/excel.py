"""Tables of Excel files, read row by row and up to a limit."""

import warnings
import zipfile
from pathlib import Path

import openpyxl
import pandas as pd

MOST_ROWS, MOST_COLUMNS = 2**20, 1024  # Excel itself ends at 2^20 rows
MOST_CELLS = 2**23  # DBC's table of files has 5 million
LARGEST = 2**30  # bytes unpacked
# bytes unpacked per byte of the file: tables have 5 to 20, a bomb has 1,000
RATIO, SMALL = 100, 2**26


def read_excel(path: Path) -> pd.DataFrame:
    """The first sheet, its first row as names, all values as text, blanks as ''."""
    _check_size(path)
    with warnings.catch_warnings(action="ignore"):  # of unsupported styles and validations
        book = openpyxl.load_workbook(path, read_only=True, data_only=True, keep_links=False)
    try:
        sheet = book.worksheets[0]
        sheet.reset_dimensions()  # the size in the file may be wrong
        names = next(sheet.iter_rows(max_row=1, max_col=MOST_COLUMNS, values_only=True), ())
        width = max((i for i, name in enumerate(names, start=1) if name is not None), default=0)
        if not width:
            raise ValueError("its first sheet is empty")
        rows = []
        for count, row in enumerate(sheet.iter_rows(2, max_col=width, values_only=True), start=1):
            if count > MOST_ROWS or count * width > MOST_CELLS:
                raise ValueError(f"has more than {min(MOST_ROWS, MOST_CELLS // width):,} rows")
            rows.append([_text(value) for value in row])
    finally:
        book.close()
    while rows and not any(rows[-1]):
        rows.pop()
    return pd.DataFrame(rows, columns=[_text(name) for name in names[:width]], dtype=str)


def _check_size(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
    # `zipfile` reads no more of a member than this size
    size = sum(member.file_size for member in members)
    most = min(LARGEST, SMALL + RATIO * path.stat().st_size)
    if size > most:
        raise ValueError(f"unpacks to {size:,} bytes, more than {most:,}")
    known = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    if any(member.compress_type not in known for member in members):
        raise ValueError("is packed in a way that Excel does not write")


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))  # Excel has no whole numbers
    return str(value)
