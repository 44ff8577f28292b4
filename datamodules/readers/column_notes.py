"""Notes on columns of a label table that are used, or that could be."""

from collections.abc import Sequence

import pandas as pd

from datamodules.readers.column_hints import GROUPS
from datamodules.readers.parts import how_split
from datamodules.readers.setting import setting


def unused_groups(table: pd.DataFrame, used: Sequence[str]) -> list[str]:
    """A note on a column that may name patients, where no groups are known.

    >>> table = pd.DataFrame({"path": list("abc"), "PatientID": list("ppq")})
    >>> unused_groups(table, ["path"])
    ['the column `PatientID` is not used; data.reader.group_column=PatientID keeps images of ...']
    """
    lower = {name.lower() for name in used}
    names = [str(name) for name in table.columns]
    for name in names:
        is_free = name.lower() not in lower and GROUPS.search(name)
        if is_free and 1 < table[name].nunique() < len(table):
            way = setting("data.reader.group_column", name)
            return [
                f"the column `{name}` is not used; {way} keeps images of the same value on one "
                "side of a split"
            ]
    return []


def parts_note(parts: Sequence[str], column: str) -> list[str]:
    """What was done with a column that says which image is in the training or test set."""
    names = sorted({part for part in parts if part})
    if not names:
        return []
    return [f"the column `{column}` has the parts {', '.join(names)}: {how_split(names)}"]
