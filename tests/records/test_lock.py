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


def add_one(path, counter):
    for _ in range(100):
        with Lock(path, poll=0, leaves_file=False):
            counter.write_text(str(int(counter.read_text()) + 1))


def test_a_lock_whose_file_goes_with_it_still_lets_one_in_at_a_time(tmp_path):
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
