"""The number of cores that this process may use."""

import math
import os
from pathlib import Path

QUOTA = Path("/sys/fs/cgroup/cpu.max")


def cores() -> int:
    """By its affinity and its container's quota; else all there are."""
    own = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = QUOTA.read_text().split()
        return max(1, min(own, math.ceil(int(quota) / int(period))))
    except (OSError, ValueError):  # no such container, or `max`
        return own
