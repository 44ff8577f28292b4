import multiprocessing
import os
import signal
import time

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
    with Lock(tmp_path / "lock", on_wait=told.append, poll=0.05):
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
