"""Which slices of a volume are used as `lesion` and which as `no lesion`."""

import numpy as np


def apart(positive: np.ndarray, gap: int = 5) -> np.ndarray:
    """Keep every positive slice, and negatives at least `gap` slices from any (the paper's rule).

    >>> apart(np.array([0, 0, 0, 1, 1, 0, 0, 0], bool), gap=2).astype(int).tolist()
    [1, 1, 0, 1, 1, 0, 1, 1]
    """
    where = np.flatnonzero(positive)
    if where.size == 0:
        return np.ones(len(positive), bool)
    distance = np.abs(np.arange(len(positive))[:, None] - where).min(axis=1)
    return positive | (distance >= gap)


def followed(positive: np.ndarray, run: int = 10) -> np.ndarray:
    """Keep a slice if it and the next `run` - 1 have one label (the published code's rule).

    The last `run` slices are not filtered. So the last nine tumour slices and nine below the tumour
    are dropped, but slices directly above it stay as negatives.

    >>> followed(np.array([0, 0, 1, 1, 1, 0, 0, 0], bool), run=2).astype(int).tolist()
    [1, 0, 1, 1, 0, 1, 1, 1]
    """
    keep = np.ones(len(positive), bool)
    for s in range(len(positive) - run):
        keep[s] = (positive[s : s + run] == positive[s]).all()
    return keep
