"""The number of cores that this process may use, and of those that are free."""

import math
import os
import time
from pathlib import Path

QUOTA = Path("/sys/fs/cgroup/cpu.max")
STAT = Path("/proc/stat")
WINDOW = 0.2  # shortest observation, in seconds
TICKS = 100  # per second, in /proc/stat


def cores() -> int:
    """Number of cores by CPU affinity and by the quota of the container."""
    own = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = QUOTA.read_text().split()
        return max(1, min(own, math.ceil(int(quota) / int(period))))
    except (OSError, ValueError):  # no container, or no quota (`max`)
        return own


def free_cores() -> int:
    """Number of free cores, at least 1. Cores of low-priority (`nice`) processes count as free."""
    own = cores()
    elapsed = time.monotonic() - _START[0]
    if elapsed < WINDOW:
        time.sleep(WINDOW - elapsed)
    return max(1, min(own, math.floor(own - _others() + 0.5)))


def _others() -> float:
    """Mean number of cores that other processes used since this module was imported."""
    start, busy, mine = _START
    elapsed = time.monotonic() - start
    now = _busy_seconds()
    if now is None or busy is None:
        return max(0.0, os.getloadavg()[0] - 1) if hasattr(os, "getloadavg") else 0.0
    return max(0.0, (now - busy - (time.process_time() - mine)) / elapsed)


def _busy_seconds() -> float | None:
    """User and system time of all processes on our cores; None if it is not known."""
    try:
        rows = [line.split() for line in STAT.read_text().splitlines() if line.startswith("cpu")]
        allowed = {f"cpu{i}" for i in os.sched_getaffinity(0)}
    except (OSError, AttributeError):
        return None
    # user nice system idle iowait irq softirq steal
    return sum(int(row[i]) for row in rows if row[0] in allowed for i in (1, 3, 6, 7, 8)) / TICKS


_START = (time.monotonic(), _busy_seconds(), time.process_time())
