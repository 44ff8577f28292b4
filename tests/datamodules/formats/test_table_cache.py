"""Tables that several processes gather at once, or that a killed process was writing."""

import multiprocessing
import os
import signal
import time

import pandas as pd
import pytest

from datamodules.formats.table_cache import cached_table

ROWS = 20_000
CONTEXT = multiprocessing.get_context("fork")


def table(rows=ROWS):
    return pd.DataFrame({"number": range(rows), "text": ["a,b", ""] * (rows // 2)})


def entries(folder):
    return sorted(path.name for path in folder.iterdir())


def gather(folder, gathered, results):
    def make():
        gathered.put(os.getpid())
        return table()

    results.put(len(cached_table(str(folder), "t", "same", make)))


def test_a_table_is_gathered_once_and_comes_back_as_text(tmp_path):
    first = cached_table(str(tmp_path), "t", 1, table)
    again = cached_table(str(tmp_path), "t", 1, pytest.fail)
    pd.testing.assert_frame_equal(first, again)
    assert again["number"][5] == "5"
    assert again["text"].tolist()[:2] == ["a,b", ""]
    assert len(cached_table(str(tmp_path), "t", 2, lambda: table(4))) == 4
    assert len(cached_table(None, "t", 1, lambda: table(2))) == 2


def test_processes_that_start_together_gather_once_and_all_read_whole_tables(tmp_path):
    gathered, results = CONTEXT.Queue(), CONTEXT.Queue()
    for attempt in range(5):
        folder = tmp_path / str(attempt)
        workers = [
            CONTEXT.Process(target=gather, args=(folder, gathered, results)) for _ in range(4)
        ]
        for worker in workers:
            worker.start()
        assert [results.get(timeout=600) for _ in workers] == [ROWS] * 4
        for worker in workers:
            worker.join()
            assert worker.exitcode == 0
        assert isinstance(gathered.get(timeout=60), int)
        assert gathered.empty()


def test_a_killed_writer_leaves_no_short_table(tmp_path):
    for delay in (0.0, 0.005, 0.01, 0.02, 0.04):
        folder = tmp_path / str(delay)
        worker = CONTEXT.Process(target=gather, args=(folder, CONTEXT.Queue(), CONTEXT.Queue()))
        worker.start()
        while not folder.exists():  # it has the lock, or is about to
            time.sleep(0.001)
        time.sleep(delay)
        os.kill(worker.pid, signal.SIGKILL)
        worker.join()
        assert len(cached_table(str(folder), "t", "same", table)) == ROWS
        assert len(cached_table(str(folder), "t", "same", table)) == ROWS
        left = {name.rpartition(".")[2] for name in entries(folder)} - {"json"}
        assert left <= {"lock"}  # one is left by a kill after the table was complete


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[: len(content) // 2],
        lambda content: content[: content.rindex(b"\n", 0, -1) + 1],  # whole rows, one fewer
        lambda content: content.replace(b"7", b"8"),
        lambda content: content.partition(b"\n")[2],  # as tables were kept once
        lambda content: b"",
        lambda content: b'{"rows": "x"}\n',
        lambda content: b"\xff" * 100,
    ],
)
def test_a_damaged_table_is_gathered_again(tmp_path, damage, caplog):
    whole = cached_table(str(tmp_path), "t", 1, table)
    (path,) = tmp_path.iterdir()
    path.write_bytes(damage(path.read_bytes()))
    pd.testing.assert_frame_equal(cached_table(str(tmp_path), "t", 1, table), whole)
    assert "damaged" in caplog.text
    pd.testing.assert_frame_equal(cached_table(str(tmp_path), "t", 1, pytest.fail), whole)


def test_leftovers_of_killed_writers_are_removed(tmp_path):
    cached_table(str(tmp_path), "t", 1, table)
    (path,) = tmp_path.iterdir()
    path.rename(tmp_path / f".{path.name}.tmp")
    cached_table(str(tmp_path), "t", 1, table)
    assert entries(tmp_path) == [path.name]


def test_a_full_disk_costs_the_entry_and_not_the_table(tmp_path, monkeypatch, caplog):
    made = []

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("records.cached.write_text", full)
    assert len(cached_table(str(tmp_path), "t", 1, lambda: made.append(1) or table())) == ROWS
    assert made == [1]
    assert "not kept" in caplog.text


def test_a_whole_table_is_read_where_nothing_can_be_written(tmp_path, monkeypatch):
    whole = cached_table(str(tmp_path), "t", 1, table)

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("records.cache_entry.Lock", refuse)
    pd.testing.assert_frame_equal(cached_table(str(tmp_path), "t", 1, pytest.fail), whole)
    assert len(cached_table(str(tmp_path), "t", 2, lambda: table(6))) == 6
