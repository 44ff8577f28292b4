"""Which process of a run this is, before any library knows."""

import os


def is_follower() -> bool:
    """True in a process that another launch of the same run has started (rank 1, 2, ...).

    Such a process trains; it holds no lock, writes no record and says nothing.
    """
    ranks = ["RANK", "LOCAL_RANK", "NODE_RANK"]
    if int(os.environ.get("SLURM_NTASKS", "1")) > 1:
        ranks.append("SLURM_PROCID")
    return any(int(os.environ.get(name) or 0) > 0 for name in ranks)
