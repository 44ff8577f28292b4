"""One file of many runs: what goes in comes out, and nothing damaged is taken for a run."""

import io

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from records import archive_schema
from records.archive import ArchivedRun, archived_run, is_archive, read_archive, write_archive
from records.archive_schema import schema
from records.curves import Curves
from records.schema import BadRecordError
from records.seal import sealed


def a_run(seed: int = 0, place: str = "tour", **facts) -> ArchivedRun:
    key = f"mlp-digits-n8-s{seed}-00000000"
    settings = {"model": {"name": "mlp"}, "data": {"name": "digits"}, "n": 8, "seed": seed}
    record = {"key": key, "status": "done", "settings": settings, "scalars": {"test/loss": 0.1}}
    curves = Curves(
        np.array([0, 1]),
        np.array([0, 7]),
        np.array(["test/loss", "test/loss"], object),
        np.array([1 / 3, np.nan]),
    )
    spectrum = np.arange(6, dtype=np.float32).reshape(2, 3)
    return ArchivedRun(f"{place}/{key}", record | facts, curves, {("train_s", 1): spectrum})


def test_runs_come_back_to_the_bit(tmp_path):
    file = tmp_path / "a.parquet"
    runs = [a_run(seed) for seed in (1, 0)]
    write_archive(file, runs)
    found = read_archive(file)
    assert [run.place for run in found] == sorted(run.place for run in runs)
    back, given = found[1], runs[0]
    assert back.record == given.record
    for name in ("epoch", "step", "name", "value"):
        np.testing.assert_array_equal(vars(back.curves)[name], vars(given.curves)[name])
    np.testing.assert_array_equal(back.arrays["train_s", 1], given.arrays["train_s", 1])


def test_equal_runs_give_equal_bytes(tmp_path):
    for name, order in (("a", (0, 1)), ("b", (1, 0))):
        write_archive(tmp_path / f"{name}.parquet", [a_run(seed) for seed in order])
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_a_run_is_found_by_its_path_inside_the_archive(tmp_path):
    file = tmp_path / "a.parquet"
    write_archive(file, [a_run()])
    found = archived_run(file / a_run().place)
    assert found is not None
    assert found.record["key"] == a_run().record["key"]
    assert archived_run(file / "tour" / "another") is None
    assert archived_run(tmp_path / "tour") is None


def test_every_flipped_byte_is_noticed(tmp_path):
    file = tmp_path / "a.parquet"
    write_archive(file, [a_run()])
    good = file.read_bytes()
    for place in range(len(good)):
        file.write_bytes(good[:place] + bytes([good[place] ^ 0x55]) + good[place + 1 :])
        with pytest.raises(BadRecordError):
            read_archive(file)


def test_other_programs_read_the_file(tmp_path):
    write_archive(tmp_path / "a.parquet", [a_run()])
    assert pd.read_parquet(tmp_path / "a.parquet").value[0][0] == 1 / 3


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_a_truncated_archive_is_refused(tmp_path, share):
    file = tmp_path / "a.parquet"
    write_archive(file, [a_run()])
    file.write_bytes(file.read_bytes()[: int(share * file.stat().st_size)])
    assert is_archive(file)  # it may have been one: never passed over
    with pytest.raises(BadRecordError):
        read_archive(file)


def test_another_parquet_file_is_no_archive(tmp_path):
    file = tmp_path / "runs.parquet"
    parquet.write_table(pa.table({"key": ["a"]}), file)
    assert not is_archive(file)
    with pytest.raises(BadRecordError, match="not an archive of runs"):
        read_archive(file)


def seal_table(table, file):
    buffer = io.BytesIO()
    parquet.write_table(table, buffer, compression="zstd")
    file.write_bytes(sealed(buffer.getvalue()))


def rewritten(tmp_path, metadata=None, **columns):
    """An archive of one run with some columns replaced."""
    file = tmp_path / "a.parquet"
    write_archive(file, [a_run()])
    row = parquet.read_table(file).to_pylist()[0] | columns
    wanted = schema() if metadata is None else schema().with_metadata(metadata)
    seal_table(pa.Table.from_pylist([row], schema=wanted), file)
    return file


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"place": "/etc/run"}, "not a place inside"),
        ({"place": "../run"}, "not a place inside"),
        ({"key": "another"}, "its record is that of"),
        ({"record": "{"}, "JSONDecodeError"),
        ({"record": '{"key": "k"}'}, "is missing"),
        ({"record": None}, "TypeError"),
        ({"epoch": [1]}, "different lengths"),
        ({"value": None}, "different lengths"),
    ],
)
def test_a_row_that_is_no_run_is_refused_with_its_reason(tmp_path, columns, reason):
    with pytest.raises(BadRecordError, match=reason):
        read_archive(rewritten(tmp_path, **columns))


def test_an_array_whose_shape_does_not_fit_is_refused(tmp_path):
    array = {"name": "a", "epoch": 0, "shape": [2, 2], "values": [1.0]}
    with pytest.raises(BadRecordError, match="reshape"):
        read_archive(rewritten(tmp_path, arrays=[array]))


def test_a_later_version_is_refused(tmp_path):
    file = rewritten(tmp_path, metadata={archive_schema.MARK: b"2"})
    with pytest.raises(BadRecordError, match="version '2'"):
        read_archive(file)


def test_the_same_run_twice_is_refused(tmp_path):
    file = tmp_path / "a.parquet"
    write_archive(file, [a_run(place="a"), a_run(place="b")])
    with pytest.raises(BadRecordError, match="same run twice"):
        read_archive(file)


def test_few_bytes_that_claim_many_values_are_refused(tmp_path, monkeypatch):
    """Equal values pack to nothing."""
    monkeypatch.setitem(archive_schema.MOST, "values", 10**5)
    file = rewritten(tmp_path, step=[0] * 10**6)
    assert file.stat().st_size < 10**5
    with pytest.raises(BadRecordError, match="values, more than 100,000"):
        read_archive(file)


def test_a_long_record_repeated_by_reference_is_refused(tmp_path, monkeypatch):
    monkeypatch.setitem(archive_schema.MOST, "unpacked bytes", 10**6)
    file = tmp_path / "a.parquet"
    long = a_run(notes=["x" * 10_000])
    write_archive(file, [long])
    row = parquet.read_table(file).to_pylist()[0]
    seal_table(pa.Table.from_pylist([row] * 200, schema=schema()), file)
    with pytest.raises(BadRecordError, match="bytes"):
        read_archive(file)
