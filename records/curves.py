"""The one reader of `metrics.csv`: one row per measurement."""

import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from records.old_words import OLD_LAYER
from records.reader import read_bytes

LARGEST = 2**30  # bytes
COLUMNS = ("epoch", "step", "name", "value")


@dataclass(frozen=True)
class Curves:
    """The measurements of one run, by column."""

    epoch: NDArray[np.int64]
    step: NDArray[np.int64]
    name: NDArray[np.object_]
    value: NDArray[np.float64]

    def last(self) -> dict[str, float]:
        """The last value of every number."""
        return dict(zip(self.name.tolist(), self.value.tolist(), strict=True))


NO_CURVES = Curves(*(np.empty(0, kind) for kind in ("int64", "int64", "object", "float64")))


def read_curves(file: Path) -> Curves:
    """The rows of a `metrics.csv`; none where there is no such file.

    Raises:
        ValueError: It is something else; with the reason.
    """
    import pyarrow as pa  # takes 30 ms, and most launches do not need it
    from pyarrow import compute, csv

    try:
        content = read_bytes(file, LARGEST)
    except FileNotFoundError:
        return NO_CURVES
    kinds = dict(zip(COLUMNS, (pa.int64(), pa.int64(), pa.string(), pa.float64()), strict=True))
    try:
        table = csv.read_csv(
            io.BytesIO(content),
            read_options=csv.ReadOptions(use_threads=False),
            convert_options=csv.ConvertOptions(
                column_types=kinds, include_columns=COLUMNS, null_values=["nan"]
            ),
        )
    except KeyError:
        raise ValueError(f"lacks a column of {', '.join(COLUMNS)}") from None
    epoch, step, name, value = (table[column] for column in COLUMNS)
    name = compute.replace_substring_regex(name, *OLD_LAYER)
    return Curves(*(column.to_numpy() for column in (epoch, step, name, value)))
