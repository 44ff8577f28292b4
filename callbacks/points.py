"""The subset of images that a probe measures."""

import torch
from torch import Tensor

from records.seeds import seed_for


def fixed_points(n: int, count: int | None, seed: int) -> Tensor:
    """`count` positions in 0..n-1, ascending, the same at every epoch and for every model.

    They are the first of one order drawn by seed, so more points contain fewer. None: all.

    >>> set(fixed_points(100, 5, seed=0).tolist()) < set(fixed_points(100, 10, seed=0).tolist())
    True
    >>> fixed_points(3, None, seed=0).tolist()
    [0, 1, 2]
    """
    if count is None or count >= n:
        return torch.arange(n)
    generator = torch.Generator().manual_seed(seed_for(seed, "probe points"))
    return torch.randperm(n, generator=generator)[:count].sort().values
