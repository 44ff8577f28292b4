"""Which GPUs and how many threads each of several runs at once may use."""

import os
from pathlib import Path


def visible_gpus() -> list[str]:
    """Names of the GPUs that this process may use, without importing torch.

    `CUDA_VISIBLE_DEVICES` says so where it is set; else every GPU that NVIDIA's driver lists.
    """
    named = os.environ.get("CUDA_VISIBLE_DEVICES")
    if named is not None:
        return [name.strip() for name in named.split(",") if name.strip() not in ("", "-1")]
    listed = Path("/proc/driver/nvidia/gpus")
    return [str(i) for i in range(len(list(listed.iterdir())))] if listed.is_dir() else []


def deal(
    jobs: int | None, gpus: list[str], per_run: int | None, cores: int
) -> list[dict[str, str]]:
    """The environment of each slot: its own GPUs, its share of the cores.

    Args:
        jobs: slots; None: one per set of GPUs, or per two cores where there are none.
        gpus: of this machine.
        per_run: GPUs that a run asks for; None: all of them, so that one run goes at a time.
        cores: of this machine.

    >>> deal(None, ["0", "1", "2", "3"], per_run=2, cores=8)
    [{'OMP_NUM_THREADS': '4', 'CUDA_VISIBLE_DEVICES': '0,1'},
     {'OMP_NUM_THREADS': '4', 'CUDA_VISIBLE_DEVICES': '2,3'}]
    >>> deal(3, [], per_run=1, cores=6)
    [{'OMP_NUM_THREADS': '2'}, {'OMP_NUM_THREADS': '2'}, {'OMP_NUM_THREADS': '2'}]
    """
    size = min(per_run or len(gpus), len(gpus)) or 1
    sets = [gpus[i : i + size] for i in range(0, len(gpus) - size + 1, size)]
    count = jobs or len(sets) or max(1, cores // 2)
    threads = str(max(1, cores // count))
    slots = [{"OMP_NUM_THREADS": threads} for _ in range(count)]
    for i, slot in enumerate(slots):
        if sets:  # more slots than sets share GPUs, evenly
            slot["CUDA_VISIBLE_DEVICES"] = ",".join(sets[i % len(sets)])
    return slots
