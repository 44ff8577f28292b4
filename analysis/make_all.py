"""All exhibits of some runs, made in several processes if there are enough of them."""

import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import torch
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.drawing.rendering import FORMS
from analysis.exhibits import Exhibit
from analysis.make import Made, make
from display.steps import shown_steps
from records.cores import cores
from records.end_with_parent import end_with_parent

PROCESSES = 8  # at most: a report has few dozen figures
PAYS = 4  # exhibits whose needs are met; a process takes as long as half a figure to start

_inherited: dict[str, Any] = {}  # of a worker: what it got through the fork


@contextmanager
def making_all(
    exhibits: Sequence[Exhibit], runs: DataFrame, forms: tuple[str, ...] = FORMS
) -> Iterator[Iterator[Made]]:
    """Begin to make every exhibit; the iterator waits for each, in the order given.

    The processes are forks: they share the runs with this one without a copy. Elsewhere than on
    Linux a fork is not safe, so there is one process. A worker that the system kills costs time
    only: its remaining exhibits are made here.
    """
    workers = min(cores(), PROCESSES)
    able = [exhibit.needs_met(runs) for exhibit in exhibits]
    if workers < 2 or sum(able) < PAYS or sys.platform != "linux":
        steps = shown_steps(exhibits, lambda exhibit: exhibit.title)
        yield (make(exhibit, runs, forms) for exhibit in steps)
        return
    fork = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(workers, fork, _start, (exhibits, runs, forms, os.getpid())) as pool:
        # Tables first: the longest, fits to the spectra of all runs, must not begin last.
        tables_first = sorted(range(len(able)), key=lambda i: exhibits[i].kind != "tables")
        futures = {place: pool.submit(_make, place) for place in tables_first if able[place]}
        try:
            yield _awaited(exhibits, runs, forms, futures)
        except BaseException:  # Ctrl-C: do not wait for what has not started
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _awaited(
    exhibits: Sequence[Exhibit],
    runs: DataFrame,
    forms: tuple[str, ...],
    futures: Mapping[int, Future[Made]],
) -> Iterator[Made]:
    """The results, with a bar that shows which one is being waited for."""
    for place in shown_steps(range(len(exhibits)), lambda place: exhibits[place].title):
        exhibit = exhibits[place]
        try:
            made = futures[place].result() if place in futures else make(exhibit, runs, forms)
        except BrokenProcessPool:
            made = make(exhibit, runs, forms)
        yield replace(made, exhibit=exhibit)


def _start(
    exhibits: Sequence[Exhibit], runs: DataFrame, forms: tuple[str, ...], parent: int
) -> None:
    """Begin a worker: with one thread, because a fork has none of its parent's."""
    end_with_parent(parent)
    _inherited.update(exhibits=exhibits, runs=runs, forms=forms)
    torch.set_num_threads(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the parent, which ends its workers


def _make(place: int) -> Made:
    """In a worker: what can be sent back, without the function that made it and the figure."""
    made = make(_inherited["exhibits"][place], _inherited["runs"], _inherited["forms"])
    kept = None if isinstance(made.result, Figure) else made.result
    return replace(made, exhibit=None, result=kept)  # type: ignore[arg-type]
