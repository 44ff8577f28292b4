"""Digests of files: read once, never stale."""

import logging
import os
import shutil
import time

import pytest

from datamodules import content
from datamodules.content import MISSING, Contents


@pytest.fixture
def files(tmp_path):
    root = tmp_path / "data"
    root.mkdir()
    paths = [root / f"{i}.png" for i in range(5)]
    for i, path in enumerate(paths):
        path.write_bytes(bytes([i]) * 100)
        settle(path)
    return paths


def settle(path):
    """As if it had lain there for a while; the time of change cannot be set."""
    os.utime(path, ns=(10**18, 10**18))


@pytest.fixture(autouse=True)
def nothing_is_fresh(monkeypatch):
    monkeypatch.setattr(content, "FRESH", -3600.0)


def counted(monkeypatch):
    read = []
    whole = content.file_digest
    monkeypatch.setattr(content, "file_digest", lambda path: read.append(path.name) or whole(path))
    return read


def test_a_file_is_read_once_by_all_processes(files, tmp_path, monkeypatch):
    read = counted(monkeypatch)
    first = Contents(tmp_path / "cache", files[0].parent)
    digests = first.digests(files)
    assert len(set(digests)) == 5
    assert first.digests(files) == digests
    assert Contents(tmp_path / "cache", files[0].parent).digests(files[:3]) == digests[:3]
    assert sorted(read) == sorted(path.name for path in files)


def test_a_copy_elsewhere_has_the_same_digests(files, tmp_path):
    copy = shutil.copytree(files[0].parent, tmp_path / "copy", copy_function=shutil.copyfile)
    there = [copy / path.name for path in files]
    assert there[0].stat().st_mtime_ns != files[0].stat().st_mtime_ns
    mine = Contents(tmp_path / "cache", files[0].parent).digests(files)
    assert Contents(tmp_path / "cache", copy).digests(there) == mine


def test_a_replacement_of_the_same_size_and_time_is_noticed(files, tmp_path):
    before = Contents(tmp_path / "cache", files[0].parent).digests(files)
    time.sleep(0.02)  # the clock of a file system ticks every few milliseconds
    files[2].write_bytes(b"x" * 100)
    settle(files[2])
    after = Contents(tmp_path / "cache", files[0].parent).digests(files)
    assert [a == b for a, b in zip(after, before, strict=True)] == [True, True, False, True, True]


def test_digests_of_files_just_written_are_not_kept(files, tmp_path, monkeypatch):
    monkeypatch.setattr(content, "FRESH", 3600.0)
    read = counted(monkeypatch)
    for _ in range(2):
        Contents(tmp_path / "cache", files[0].parent).digests(files)
    assert len(read) == 10


def test_a_file_that_is_not_there_has_no_digest_and_one_in_other_case_has(files, tmp_path):
    contents = Contents(None, tmp_path)
    known = contents.digests(files)
    assert contents.digests([tmp_path / "nowhere.png"]) == [MISSING]
    assert contents.digests([files[1].with_suffix(".PNG")]) == [known[1]]


@pytest.mark.parametrize("damage", ["", "{", '{"a": 1}', "[1]", "\x00"])
def test_a_damaged_store_is_made_again(files, tmp_path, damage, caplog):
    first = Contents(tmp_path / "cache", files[0].parent)
    digests = first.digests(files)
    first.store.write_text(damage)
    with caplog.at_level(logging.WARNING):
        assert Contents(tmp_path / "cache", files[0].parent).digests(files) == digests
    assert "damaged" in caplog.text
    assert Contents(tmp_path / "cache", files[0].parent).known


def test_a_cache_that_cannot_be_written_costs_time_only(files, tmp_path, monkeypatch, caplog):
    def refuse(*_, **__):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(content, "Lock", refuse)
    digests = Contents(tmp_path / "cache", files[0].parent).digests(files)
    assert digests == Contents(None, tmp_path).digests(files)
    assert "not kept" in caplog.text
