"""Small tensor operations on one thread."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def one_thread(needed: bool = True) -> Iterator[None]:
    """One intra-operator thread on the CPU inside the block, if `needed`.

    Operations of a millisecond gain nothing from a second thread, and where another process
    occupies its core, threads that wait for each other took ten times as long.

    >>> with one_thread():
    ...     torch.get_num_threads()
    1
    """
    if not needed:
        yield
        return
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
