import os

import pytest
from pandas.testing import assert_frame_equal

from analysis.runs import parsed_runs
from analysis.runs.parsed_runs import ParsedRuns
from analysis.runs.records import read_runs
from records.schema import BadRecordError
from tests.analysis.synthetic_runs import scalars, settings, write_record


def write(root, seed, **facts):
    one = settings("vgg13", "oai", "medical", 250, seed)
    return write_record(root / "runs", one, scalars(250, 9, 1e-4), **facts)


def read(root):
    """Read through the store; the table, and how many files were parsed."""
    store = ParsedRuns(root / "store")
    for folder in sorted((root / "runs").iterdir()):
        store.record(folder / "record.json")
        store.curves(folder / "metrics.csv")
    store.save()
    return store.parsed


def test_unchanged_files_are_parsed_once_and_read_the_same(tmp_path):
    folders = [write(tmp_path, seed) for seed in range(3)]
    plain = read_runs([tmp_path / "runs"])
    assert read(tmp_path) == 6
    assert read(tmp_path) == 0
    stored = read_runs([tmp_path / "runs"], tmp_path / "store")
    assert_frame_equal(stored.plain, plain.plain)
    assert_frame_equal(stored.metrics, plain.metrics)
    with (folders[1] / "metrics.csv").open("a") as file:
        file.write("1,1,test/loss,0.25\n")
    assert read(tmp_path) == 1
    assert 0.25 in read_runs([tmp_path / "runs"], tmp_path / "store").metrics.value.tolist()


def test_the_number_of_images_is_kept(tmp_path):
    folder = write(tmp_path, 0)
    (folder / "metrics.csv").write_text(
        "epoch,step,name,value,images\n1,1,test/loss,0.5,40\n1,1,test/loss,0.25,440\n"
    )
    for _ in range(2):  # parsed, then from the store
        found = read_runs([tmp_path / "runs"], tmp_path / "store").metrics
        assert found.images.tolist() == [40, 440]


def test_a_file_replaced_by_one_of_equal_size_and_time_is_parsed_again(tmp_path):
    folder = write(tmp_path, 0)
    read(tmp_path)
    record = folder / "record.json"
    before = record.stat()
    other = folder / "other"
    other.write_text(record.read_text().replace("2026-01-01", "2026-01-02"))
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(record)
    assert record.stat().st_size == before.st_size
    assert read(tmp_path) == 1
    assert read_runs([tmp_path / "runs"], tmp_path / "store").table.started[0][:10] == "2026-01-02"


@pytest.mark.parametrize("damage", [b"", b"x" * 40, None])
def test_a_damaged_store_is_replaced(tmp_path, damage):
    write(tmp_path, 0)
    read(tmp_path)
    store = tmp_path / "store"
    content = store.read_bytes()
    store.write_bytes(content[:-9] + b"?" + content[-8:] if damage is None else damage)
    assert read(tmp_path) == 2
    assert read(tmp_path) == 0


def test_other_readers_parse_again_and_a_run_that_is_gone_is_forgotten(tmp_path, monkeypatch):
    folder = write(tmp_path, 0)
    write(tmp_path, 1)
    read(tmp_path)
    size = (tmp_path / "store").stat().st_size
    with monkeypatch.context() as patch:
        patch.setattr(parsed_runs, "_version", lambda: "another")
        assert read(tmp_path) == 4
    assert read(tmp_path) == 4
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    assert read(tmp_path) == 0
    assert (tmp_path / "store").stat().st_size < size


def test_a_bad_record_is_reported_every_time_and_not_kept(tmp_path):
    folder = write(tmp_path, 0)
    (folder / "record.json").write_text("{")
    for _ in range(2):
        store = ParsedRuns(tmp_path / "store")
        with pytest.raises(BadRecordError):
            store.record(folder / "record.json")
        store.save()


def test_a_store_that_cannot_be_written_costs_nothing_but_time(tmp_path, caplog):
    write(tmp_path, 0)
    (tmp_path / "file").write_text("")
    assert len(read_runs([tmp_path / "runs"], tmp_path / "file" / "store").table) == 1
    assert "was not written" in caplog.text
