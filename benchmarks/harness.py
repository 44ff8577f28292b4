"""Time ours and a peer in turn, in one process, and report their ratio.

Machines are noisy, so the two are interleaved and the median of each is taken; a ratio means
"the peer takes that many times as long as we do".
"""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

clock: Callable[[], float] = time.perf_counter  # `--cpu-time` makes it time.process_time


@dataclass(frozen=True)
class Row:
    """One line of the benchmark table."""

    case: str
    ours_seconds: float
    peer: str
    peer_seconds: float
    goal: float | None = None  # ratio we aim for, or None if there is no target
    note: str = ""  # what limits it, extra memory, error reached

    @property
    def ratio(self) -> float:
        """How many times longer the peer takes."""
        return self.peer_seconds / self.ours_seconds


def seconds(function: Callable[[], object], repeats: int = 3) -> float:
    """Median time of `function` over `repeats` calls."""
    return compare(function, repeats=repeats)[0]


def compare(*functions: Callable[[], object], repeats: int = 3) -> list[float]:
    """Median times of several functions, called in turn so that noise affects all equally."""
    times: list[list[float]] = [[] for _ in functions]
    for _ in range(repeats):
        for function, taken in zip(functions, times, strict=True):
            start = clock()
            function()
            taken.append(clock() - start)
    return [statistics.median(taken) for taken in times]
