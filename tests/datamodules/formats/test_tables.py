import numpy as np
import pandas as pd
import pytest

from datamodules.errors import BadFileError
from datamodules.formats.table_cache import cached_table
from datamodules.formats.tables import number, read_table


@pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
def test_columns_are_found_whatever_their_case_and_values_are_text(tmp_path, suffix):
    path = tmp_path / f"labels{suffix}"
    table = pd.DataFrame({" Patient ID ": ["p1", "p2"], "SCORE": [3.0, None], "extra": [1, 2]})
    table.to_csv(path, index=False) if suffix == ".csv" else table.to_excel(path, index=False)
    read = read_table(path, ["patient id", "Score"], optional=["Age"])
    assert list(read.columns) == ["patient id", "Score", "Age"]
    assert read["Score"].iloc[1] == ""
    assert number(read["Score"]).iloc[0] == 3.0
    assert read["Age"].tolist() == ["", ""]


def test_missing_column_names_file_column_and_nearest(tmp_path):
    (tmp_path / "labels.csv").write_text("Patient ID,Start Slices\n1,2\n")
    with pytest.raises(
        BadFileError, match=r"labels\.csv: has no column `Start Slice`; the nearest is `Start Sli"
    ):
        read_table(tmp_path / "labels.csv", ["Start Slice"])


@pytest.mark.parametrize("name", ["empty.csv", "broken.xlsx", "broken.sas7bdat"])
def test_files_that_are_no_tables_are_named(tmp_path, name):
    (tmp_path / name).write_bytes(b"" if name == "empty.csv" else b"this is not a table")
    with pytest.raises(BadFileError, match=name):
        read_table(tmp_path / name, ["ID"])


def test_byte_order_mark_is_not_part_of_the_first_column(tmp_path):
    (tmp_path / "a.csv").write_bytes("\ufeffID,x\n7,1\n".encode())
    assert read_table(tmp_path / "a.csv", ["ID"])["ID"].tolist() == ["7"]


def test_table_is_gathered_once_per_identity(tmp_path):
    made = []

    def make():
        made.append(1)
        return pd.DataFrame({"a": ["", "01"], "b": [np.int64(1), 2]})

    for identity in (1, 1, 2):
        table = cached_table(str(tmp_path), "t", identity, make)
        assert table.to_numpy().tolist() == [["", "1"], ["01", "2"]]
    assert len(made) == 2
    cached_table(None, "t", 1, make)
    assert len(made) == 3


def test_a_separator_at_the_end_of_rows_moves_no_column(tmp_path):
    (tmp_path / "a.csv").write_text("ID,x\n7,1,\n8,2,\n")
    assert read_table(tmp_path / "a.csv", ["x", "ID"]).to_numpy().tolist() == [
        ["1", "7"],
        ["2", "8"],
    ]
    (tmp_path / "a.csv").write_text("ID,x\n7,1,2\n")
    with pytest.raises(BadFileError, match=r"a\.csv: has rows of 3 fields under 2 names"):
        read_table(tmp_path / "a.csv", ["ID"])


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_the_most_frequent_separator_of_the_first_line_is_taken(tmp_path, separator):
    other = ";" if separator == "," else ","
    (tmp_path / "a.csv").write_text(
        f"ID{separator}a{other}b{separator}x\n7{separator}{separator}1\n"
    )
    assert read_table(tmp_path / "a.csv", ["x"], separator=None)["x"].tolist() == ["1"]
