"""Which process of a run this is, before any library knows."""

import os


def rank() -> int:
    """The number of this process in its run, as far as the environment tells."""
    names = ["RANK", "LOCAL_RANK", "NODE_RANK"]
    if int(os.environ.get("SLURM_NTASKS", "1")) > 1:
        names.append("SLURM_PROCID")
    return max(int(os.environ.get(name) or 0) for name in names)


def is_follower() -> bool:
    """True in a process that another launch of the same run has started (rank 1, 2, ...).

    Such a process trains; it holds no lock, writes no record and says nothing.
    """
    return rank() > 0
