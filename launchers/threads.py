"""The number of threads of a run: chosen before it starts, recorded, and kept on resume.

The order of sums depends on the number of threads, and with it the last bits of a run's numbers.
"""

import logging
import os

from conf.resolve import look_up
from conf.run_plan import RunPlan
from records.cores import cores, free_cores
from records.counted import counted
from records.reader import Record

log = logging.getLogger(__name__)

AT_START = os.environ.get("OMP_NUM_THREADS", "")  # set by the user, or by the launcher of a sweep
_announced: set[str] = set()


def choose_threads(run: RunPlan, record: Record | None) -> int:
    """Threads of each process of a run.

    The first of: the setting, the number in the record so far, `OMP_NUM_THREADS`, the free cores,
    which is logged once.
    """
    setting, recorded = look_up(run.plain, "threads"), (record or {}).get("threads")
    if isinstance(setting, int):
        return setting
    if isinstance(recorded, int) and recorded > 0:
        return recorded
    if threads := environment_threads():
        return threads
    free, devices = free_cores(), look_up(run.plain, "trainer.devices")
    threads = max(1, free // max(1, devices if isinstance(devices, int) else 1))
    sentence = f"{counted(threads, 'thread')}: {free} of {counted(cores(), 'core')} free"
    if sentence not in _announced and run.plain["trainer"]["accelerator"] != "gpu":
        log.info("%s (threads=<number> sets it).", sentence)
        _announced.add(sentence)
    return threads


def environment_threads() -> int | None:
    """`OMP_NUM_THREADS` at the start of this process; None if it is not a number."""
    first = AT_START.split(",")[0].strip()
    return int(first) if first.isdecimal() and int(first) > 0 else None


def use_threads(threads: int) -> None:
    """Set the number of threads of this process and of the ranks it starts."""
    import torch

    # Lightning does not change it in its ranks if it is set
    os.environ["OMP_NUM_THREADS"] = str(threads)
    torch.set_num_threads(threads)
