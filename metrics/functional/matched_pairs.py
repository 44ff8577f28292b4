"""Pairs of images of shuffled batches: the published code's sample of all pairs."""

import torch
from torch import Tensor

from metrics.functional.closest_pairs import ClosestPair
from metrics.functional.squared_distances import Points

PAIR_BATCH = 500  # batch size of the published code


def matched_pairs(index: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """The two members of each pair when batches of two shuffled orders are matched elementwise.

    Example:
        >>> i, j = matched_pairs(torch.arange(3), torch.Generator().manual_seed(0))
        >>> i.sort().values.tolist(), j.sort().values.tolist()  # one batch: every image once
        ([0, 1, 2], [0, 1, 2])
    """
    orders = [torch.randperm(len(index), generator=generator).to(index.device) for _ in range(2)]
    first, second = (torch.split(index[order], PAIR_BATCH) for order in orders)
    met = [(a[: len(b)], b[: len(a)]) for a in first for b in second]
    return torch.cat([a for a, _ in met]), torch.cat([b for _, b in met])


def closest_of(points: Points, i: Tensor, j: Tensor, allowed: Tensor) -> ClosestPair:
    """The closest of the allowed pairs (i, j).

    Example:
        >>> x = torch.tensor([[0.0], [1.0], [3.0]])
        >>> i, j = torch.tensor([0, 1, 0]), torch.tensor([1, 2, 2])
        >>> closest_of(Points(x), i, j, torch.tensor([False, True, True])).pair
        (1, 2)
    """
    found = ClosestPair()
    found.offer(points, i[allowed], j[allowed])
    return found
