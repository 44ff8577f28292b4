"""A note on patients that are known but not used."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from datamodules.readers.setting import setting

if TYPE_CHECKING:  # runs on arrays need no tables
    import pandas as pd

FEWEST = 3  # different values: two are a mark, such as case and control


def unused_groups(
    what: str, key: str, found: "Iterable[tuple[str, np.ndarray | pd.Series]]"
) -> list[str]:
    """A note on the first of some columns or arrays with fewer different values than images.

    Args:
        what: `column` or `array`.
        key: setting that takes it.
        found: names and values, of those whose names may be of patients.

    Example:
        >>> ids = np.array([1, 1, 2, 3])
        >>> unused_groups("array", "data.reader.group", [("case", ids > 1), ("patient", ids)])
        ['the array `patient` is not used; data.reader.group=patient keeps images of the ...']
    """
    for name, values in found:
        if FEWEST <= len(set(values.tolist())) < len(values):
            return [
                f"the {what} `{name}` is not used; {setting(key, name)} keeps images of the same "
                "value on one side of a split"
            ]
    return []
