import io

import numpy as np
import pytest
from pyarrow import parquet

from records.arrow_table import arrow_table


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (np.array([-1, 2], np.int64), "int64"),
        (np.array([0, 255], np.uint8), "uint8"),
        (np.array([1.5, np.inf], np.float32), "float"),
        (np.array([1, -2], ">i4"), "int32"),
        (np.array([0.1, 2.0], ">f8"), "double"),
        (np.arange(10)[::-2], "int64"),
        (np.array([True, False, False] * 7), "bool"),
        (np.array(["ä", "", "bc"]), "string"),
        (np.array(["ä", "bc"], ">U2"), "string"),
        (np.array([], np.float64), "double"),
        (np.array([], bool), "bool"),
    ],
    ids=lambda value: getattr(value, "dtype", value),
)
def test_a_column_is_read_back_from_its_file_as_it_was(values, kind):
    file = io.BytesIO()
    parquet.write_table(arrow_table({"x": values}), file)
    column = parquet.read_table(file).column("x")
    assert str(column.type) == kind
    assert column.to_pylist() == values.tolist()


@pytest.mark.parametrize(
    "values",
    [
        np.array([1.5, None]),
        np.ones((2, 2)),
        np.float64(1),
        np.array([1j]),
        np.array([b"a"]),
        np.array(["2024-01-01"], "datetime64[D]"),
    ],
    ids=repr,
)
def test_other_columns_are_rejected_by_name(values):
    with pytest.raises(ValueError, match=r"column 'x' is .* of shape"):
        arrow_table({"n": np.array([1]), "x": values})
