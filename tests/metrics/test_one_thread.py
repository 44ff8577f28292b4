"""A block on one thread, and the number of threads after it."""

import pytest
import torch

from metrics.functional.one_thread import one_thread


@pytest.fixture(autouse=True)
def two_threads():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


def test_the_number_of_threads_returns_after_an_error():
    with pytest.raises(RuntimeError, match="inside"), one_thread():
        assert torch.get_num_threads() == 1
        raise RuntimeError("inside")
    assert torch.get_num_threads() == 2


def test_large_work_keeps_its_threads():
    with one_thread(needed=False):
        assert torch.get_num_threads() == 2
