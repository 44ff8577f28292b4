"""Which process of a run this is, before any library knows."""

import os


def is_follower() -> bool:
    """True in a process that another launch of the same run has started (rank 1, 2, ...).

    Such a process trains; it holds no lock, writes no record and says nothing.
    """
    return int(os.environ.get("LOCAL_RANK", "0")) > 0
