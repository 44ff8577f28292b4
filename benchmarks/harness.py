"""Time ours and a peer in one process, and report their ratio.

A ratio means "the peer takes that many times as long as we do". Machines are noisy: `compare`
interleaves the two and takes the median of each. The growth over sizes is timed once a size.
"""

import resource
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

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


def peak_memory() -> float:
    """Peak memory of this process, in GB: since it started, or since the last `added_memory`."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 2**20
    unit = 1 if sys.platform == "darwin" else 2**10  # bytes of ru_maxrss
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**30


def added_memory(function: Callable[[], object]) -> float:
    """GB by which a call raises the memory of this process at its peak."""
    restart = Path("/proc/self/clear_refs")
    if restart.exists():
        restart.write_text("5")  # Linux: the peak starts again at what is in use now
    before = peak_memory()
    function()
    return max(0.0, peak_memory() - before)
