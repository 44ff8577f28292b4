"""The number of threads of a run: chosen before it starts, recorded, kept on resume.

Sums are added in another order on another number of threads, so the last bits of a run's numbers
depend on it. A resumed run therefore keeps the number that it started with.
"""

import logging
import os
from typing import Any

from conf.resolve import look_up
from conf.run_plan import RunPlan
from launchers.free_cores import free_cores
from records.cores import cores
from records.counted import counted
from records.reader import Record

log = logging.getLogger(__name__)

GIVEN = os.environ.get("OMP_NUM_THREADS", "")  # by the user, or by the launcher of a sweep
_announced: set[str] = set()


def choose_threads(run: RunPlan, record: Record | None) -> int:
    """Threads of each process of a run; logged once if they are not set.

    The setting, then the number the run started with, then `OMP_NUM_THREADS`, then the free cores.

    Args:
        run: what is to be computed.
        record: of the run so far.
    """
    setting, recorded = look_up(run.plain, "threads"), (record or {}).get("threads")
    if isinstance(setting, int):
        return setting
    if isinstance(recorded, int) and recorded > 0:
        return recorded
    if threads := given_threads():
        return threads
    free, processes = free_cores(), max(1, _processes(look_up(run.plain, "trainer.devices")))
    threads = max(1, free // processes)
    sentence = f"{counted(threads, 'thread')}: {free} of {counted(cores(), 'core')} free"
    if sentence not in _announced and run.plain["trainer"]["accelerator"] != "gpu":
        log.info("%s (threads=<number> sets it).", sentence)
        _announced.add(sentence)
    return threads


def given_threads() -> int | None:
    """`OMP_NUM_THREADS` at the start of this process; None if it is not a number."""
    first = GIVEN.split(",")[0].strip()
    return int(first) if first.isdecimal() and int(first) > 0 else None


def use_threads(threads: int) -> None:
    """Set the number of threads of this process and of the ranks it starts."""
    import torch

    # if set, Lightning does not change it in its ranks
    os.environ["OMP_NUM_THREADS"] = str(threads)
    torch.set_num_threads(threads)


def _processes(devices: Any) -> int:
    return devices if isinstance(devices, int) else 1
