"""The rank of this process, before any library is imported."""

import os

NAMES = ("RANK", "LOCAL_RANK", "NODE_RANK")
# Variables that torchrun, Lightning and Slurm set together with the rank.
COMPANY = ("WORLD_SIZE", "MASTER_ADDR")


def rank() -> int:
    """The rank of this process in its run, according to the environment."""
    names = list(NAMES)
    if _number(os.environ.get("SLURM_NTASKS", "1")) > 1:
        names.append("SLURM_PROCID")
    return max(_number(os.environ.get(name)) for name in names)


def is_nonzero_rank() -> bool:
    """Whether this is rank 1, 2, ... of a run: it trains, but has no lock and writes no record."""
    return rank() > 0


def drop_stray_ranks() -> list[str]:
    """Remove rank variables that no launcher has set; returns those removed.

    With `RANK=1` left over in a shell, a command would wait for a rank 0 that does not exist, and
    Lightning, which reads these variables too, would log nothing.
    """
    is_complete = all(os.environ.get(name) for name in COMPANY)
    numbers = [os.environ[name] for name in (*NAMES, "WORLD_SIZE") if name in os.environ]
    if is_complete and all(number.isdecimal() for number in numbers):
        return []
    stray = [f"{name}={os.environ[name]}" for name in NAMES if os.environ.get(name)]
    for name in NAMES if stray else ():
        os.environ.pop(name, None)
    return stray


def _number(text: str | None) -> int:
    return int(text) if text and text.isdecimal() else 0
