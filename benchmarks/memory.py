"""Peak memory of whole commands, in GB.

Planning a large sweep in a new process: composing, checking and naming its runs.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.harness import Row

ROOT = Path(__file__).parent.parent
PLAN = "from conf.plan import plan; assert len(plan(['-m', 'seed=range(0,10000)']).runs) == 10000"


def child(*command: str) -> tuple[float, float]:
    """Peak memory in GB and CPU seconds of a Python process."""
    process = subprocess.Popen([sys.executable, *command], cwd=ROOT)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError(f"{command[0]} ended with status {status}")
    return used.ru_maxrss / 2**20, used.ru_utime + used.ru_stime


def run() -> Iterator[Row]:
    """The plan of 10,000 runs."""
    peak, seconds = child("-c", PLAN)
    yield Row("planning 10,000 runs (GB)", peak, "target", 0.5, 1)
    yield Row("planning 10,000 runs (CPU s)", seconds, "target", 10, 1, "with all imports")
