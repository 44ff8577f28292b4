"""Time our code and a peer in one process, and report the ratio.

A ratio of 2 means that the peer takes twice as long. Machines are noisy: `compare` calls the two in
turn and takes the median of each.
"""

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from conf.plan import plan
from conf.run_plan import RunPlan

ROOT = Path(__file__).parent.parent
clock: Callable[[], float] = time.perf_counter  # `--cpu-time` makes it time.process_time


@dataclass(frozen=True)
class Row:
    """One line of the benchmark table."""

    case: str
    ours_seconds: float
    peer: str
    peer_seconds: float
    goal: float | None = None  # the ratio to reach, if there is one
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


def child(*command: str) -> tuple[float, float]:
    """Peak memory in GB and CPU seconds of a Python process, which must succeed."""
    process = subprocess.Popen([sys.executable, *command], cwd=ROOT, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{command[0]} ended with code {process.returncode}")
    return used.ru_maxrss / 2**20, used.ru_utime + used.ru_stime


def planned_run(*words: str) -> RunPlan:
    """The only run of a command."""
    planned = plan(list(words))
    assert planned is not None
    assert not planned.problems, planned.problems
    (run,) = planned.runs
    return run
