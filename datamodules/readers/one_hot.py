"""Labels of tables with a column of 0 and 1 for each class."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import pandas as pd

from datamodules.errors import BadFileError
from datamodules.formats.tables import number
from datamodules.readers.setting import setting


def one_hot_columns(table: pd.DataFrame, others: Iterable[str | None]) -> list[str]:
    """The columns of 0 and 1, if each row has exactly one 1 in them; none otherwise.

    >>> table = pd.DataFrame({"image": ["a", "b"], "cat": ["1.0", "0.0"], "dog": ["0", "1"]})
    >>> one_hot_columns(table, ["image"])
    ['cat', 'dog']
    """
    columns = [str(name) for name in table.columns if name not in set(others)]
    ones = {name: number(table[name].fillna("").astype(str)) for name in columns}
    binary = {name: values for name, values in ones.items() if values.isin((0, 1)).all()}
    if len(binary) < 2 or not (sum(binary.values()) == 1).all():
        return []
    return list(binary)


def labels_of_one_hot(file: Path, table: pd.DataFrame) -> pd.Series:
    """The name of the column with the 1 in each row; '' where there is none."""
    ones = table.apply(number).fillna(0) > 0.5
    count = ones.sum(axis=1)
    if (count > 1).any():
        row = int((count > 1).to_numpy().argmax())
        both = [str(name) for name in table.columns[ones.iloc[row]]]
        raise BadFileError(
            file,
            f"row {row + 2} has a 1 in {' and '.join(both)}, so these are findings, not classes.",
            f"Name one of them: {setting('data.reader.label_column', both[0])}.",
        )
    return ones.idxmax(axis=1).astype(str).where(count == 1, "")


def columns_setting(columns: Sequence[str]) -> str:
    r"""The setting for these columns, to be copied.

    >>> columns_setting(["MEL", "NV"]), columns_setting(["a b", "c"])
    ('"data.reader.label_column=[MEL,NV]"', '"data.reader.label_column=[\'a b\',c]"')
    """
    plain = (setting("", name).strip('"').removeprefix("=") for name in columns)
    return f'"data.reader.label_column=[{",".join(plain)}]"'
