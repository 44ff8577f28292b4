import errno
import fcntl
import multiprocessing
import os
import signal
import time

import pytest
from filelock import FileLock

from records.lock import Lock


def hold(path, held, seconds):
    with Lock(path):
        held.set()
        time.sleep(seconds)


def test_the_second_waits_and_is_told_for_whom(tmp_path):
    held = multiprocessing.get_context("fork").Event()
    other = multiprocessing.get_context("fork").Process(
        target=hold, args=(tmp_path / "lock", held, 0.5)
    )
    other.start()
    assert held.wait(10)
    told = []
    with Lock(tmp_path / "lock", on_wait=told.append):
        assert not other.is_alive() or other.join(1) is None
    assert len(told) == 1
    assert f"process {other.pid}" in told[0]


def test_the_lock_of_a_killed_process_is_free(tmp_path):
    held = multiprocessing.get_context("fork").Event()
    other = multiprocessing.get_context("fork").Process(
        target=hold, args=(tmp_path / "lock", held, 60)
    )
    other.start()
    assert held.wait(10)
    os.kill(other.pid, signal.SIGKILL)
    other.join()
    told = []
    with Lock(tmp_path / "lock", on_wait=told.append):
        assert (tmp_path / "lock").read_text().startswith("{")
    assert told == []


def add_one(path, counter):
    for _ in range(100):
        with Lock(path, leaves_file=False):
            counter.write_text(str(int(counter.read_text()) + 1))


def test_a_lock_whose_file_goes_with_it_still_lets_one_in_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setattr("records.lock.POLL", 0)
    counter = tmp_path / "counter"
    counter.write_text("0")
    fork = multiprocessing.get_context("fork")
    others = [fork.Process(target=add_one, args=(tmp_path / "lock", counter)) for _ in range(4)]
    for other in others:
        other.start()
    for other in others:
        other.join()
    assert counter.read_text() == "400"
    assert list(tmp_path.iterdir()) == [counter]


def test_a_fork_of_the_holder_leaves_the_lock_to_it(tmp_path):
    with Lock(tmp_path / "lock") as lock:
        child = multiprocessing.get_context("fork").Process(target=lock.__exit__, args=(None,) * 3)
        child.start()
        child.join()
        assert child.exitcode == 0
        assert lock.is_held()
        assert f"process {os.getpid()} on" in lock.holder()
    assert not lock.is_held()


def is_held_exclusively(lock):
    return lock._is_held_without_shared_locks()  # as on Windows


@pytest.mark.parametrize("is_held", [Lock.is_held, is_held_exclusively])
def test_asking_whether_it_is_held_takes_nothing(tmp_path, is_held):
    path = tmp_path / "lock"
    with Lock(path):
        assert is_held(Lock(path))
        assert is_held(Lock(path))
    assert not is_held(Lock(path))
    with Lock(path, on_wait=pytest.fail):
        pass


def test_asking_needs_no_right_to_write_and_creates_nothing(tmp_path, monkeypatch):
    assert not Lock(tmp_path / "lock").is_held()
    assert list(tmp_path.iterdir()) == []
    original = os.open

    def read_only(path, flags, *args):  # root may write anywhere, whatever the mode says
        return refuse(path) if flags & (os.O_WRONLY | os.O_RDWR) else original(path, flags, *args)

    with Lock(tmp_path / "lock") as lock:
        monkeypatch.setattr(os, "open", read_only)
        monkeypatch.setattr(FileLock, "acquire", refuse)
        assert lock.is_held()
        monkeypatch.undo()


def refuse(path, *args, **kwargs):
    raise PermissionError(13, "Permission denied", str(path))


def test_where_the_file_system_has_no_locks_it_fails_and_leaves_no_marker(tmp_path, monkeypatch):
    def no_locks(*args):
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr(fcntl, "flock", no_locks)
    with pytest.raises(OSError, match="not implemented"), Lock(tmp_path / "lock"):
        pass
