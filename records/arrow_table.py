"""Columns as an Arrow table, without importing pandas.

`pyarrow.array` imports pandas to check for its columns: 0.3 s of CPU time at the end of a run that
does not need pandas.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa


def arrow_table(columns: Mapping[str, np.ndarray]) -> "pa.Table":
    """A table of one-dimensional columns of int, uint, float, bool or str; else ValueError.

    >>> arrow_table({"n": np.array([1, 2]), "name": np.array(["ä", "bc"])}).to_pydict()
    {'n': [1, 2], 'name': ['ä', 'bc']}
    """
    import pyarrow as pa

    return pa.table({name: _column(name, np.asarray(own)) for name, own in columns.items()})


def _column(name: str, values: np.ndarray) -> "pa.Array":
    import pyarrow as pa

    kind = values.dtype.kind
    extended = kind == "f" and values.dtype.itemsize > 8  # Arrow has no such numbers
    if values.ndim != 1 or kind not in "iufbU" or extended:
        raise ValueError(
            f"column {name!r} is {values.dtype} of shape {values.shape}; a table takes "
            "one-dimensional arrays of int, uint, float, bool or str."
        )
    if kind == "U":
        texts = [str(value).encode() for value in values]
        ends = np.cumsum([0, *map(len, texts)], dtype=np.int32)
        content = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(texts))]
        return pa.Array.from_buffers(pa.string(), len(texts), content)
    values = np.ascontiguousarray(values, values.dtype.newbyteorder("="))
    packed = np.packbits(values, bitorder="little") if kind == "b" else values
    content = [None, pa.py_buffer(packed)]
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), content)
