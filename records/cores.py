"""The number of cores that this process may use."""

import math
import os
from pathlib import Path

QUOTA = Path("/sys/fs/cgroup/cpu.max")


def cores() -> int:
    """Number of cores by CPU affinity and by the quota of the container."""
    own = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = QUOTA.read_text().split()
        return max(1, min(own, math.ceil(int(quota) / int(period))))
    except (OSError, ValueError):  # no container, or no quota (`max`)
        return own
