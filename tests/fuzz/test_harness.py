"""The harness that fuzz tests assert by: readers that misbehave must be caught."""

from types import SimpleNamespace

import pytest

from tests.fuzz.test_fuzz import attack, feed


def reader(read, own=(ValueError,)):
    content = b"a file of forty bytes, more or less......"
    return SimpleNamespace(
        file="x.bin", beside={}, is_good=True, own=own, read=read, content=lambda: content
    )


def crashes(path):
    if b"a file" not in path.read_bytes():
        raise IndexError("not the reader's own error")


def writes(path):
    path.with_name("left.tmp").write_bytes(b"x")


def refuses(path):
    if b"a file" not in path.read_bytes():
        raise ValueError(f"{path}: not such a file")


@pytest.mark.parametrize(("read", "caught"), [(crashes, IndexError), (writes, AssertionError)])
def test_a_crash_and_a_file_left_behind_are_caught(monkeypatch, tmp_path, read, caught):
    monkeypatch.setitem(attack.__globals__["SUBJECTS"], "bad", reader(read))
    with pytest.raises(caught):
        attack("bad", tmp_path, 40, derandomize=True)


def test_a_readers_own_error_is_none_of_them(monkeypatch, tmp_path):
    monkeypatch.setitem(attack.__globals__["SUBJECTS"], "good", reader(refuses))
    assert attack("good", tmp_path, 40, derandomize=True) is None


def test_memory_is_limited(tmp_path):
    with pytest.raises(MemoryError):
        feed(reader(lambda path: bytearray(2**36)), b"", tmp_path)
