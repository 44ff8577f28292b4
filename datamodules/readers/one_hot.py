"""Labels of tables with a column of 0 and 1 for each class."""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from datamodules.errors import BadFileError
from datamodules.readers.setting import setting

BLANK = ("", "nan")  # as pandas and R write a missing value


def one_hot_columns(table: pd.DataFrame, others: Iterable[str | None]) -> list[str]:
    """The columns of 0 and 1, if each row has exactly one 1 in them; none otherwise.

    >>> table = pd.DataFrame({"image": ["a", "b"], "cat": ["1.0", "0.0"], "dog": ["False", "True"]})
    >>> one_hot_columns(table, ["image"])
    ['cat', 'dog']
    """
    columns = [str(name) for name in table.columns if name not in set(others)]
    ones = {name: _zero_or_one(table[name].fillna("").astype(str)) for name in columns}
    binary = {name: values for name, values in ones.items() if values.isin((0, 1)).all()}
    if len(binary) < 2 or not (sum(binary.values()) == 1).all():
        return []
    return list(binary)


def labels_of_one_hot(file: Path, table: pd.DataFrame) -> pd.Series:
    """The name of the column with the 1 in each row; '' where there is none.

    Raises:
        BadFileError: a value is neither 0 nor 1 nor blank, or a row has several 1.
    """
    values = table.apply(_zero_or_one)
    is_blank = table.apply(lambda column: column.str.lower().isin(BLANK))
    if (other := ~(values.isin((0, 1)) | is_blank)).any(axis=None):
        row, place = (int(k[0]) for k in other.to_numpy().nonzero())
        raise BadFileError(
            file,
            f"row {row + 2} has `{table.iat[row, place]}` in {table.columns[place]}; of several "
            "columns of labels each has 0 and 1 only.",
            "Name those with 0 and 1, or one column with the names of the classes.",
        )
    ones = values == 1
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


def _zero_or_one(text: pd.Series) -> pd.Series:
    """Numbers, also of `True` and `False`, as pandas writes them; NaN for other texts."""
    return pd.to_numeric(text.str.lower().replace({"true": "1", "false": "0"}), errors="coerce")
