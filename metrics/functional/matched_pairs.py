"""Pairs of images of shuffled batches: the published code's sample of all pairs."""

import torch
from torch import Tensor

from metrics.functional.closest_pairs import ClosestPair
from metrics.functional.squared_distances import Points

PAIR_BATCH = 500  # batch size of the published code


def matched_pairs(index: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """The two members of each pair when batches of two shuffled orders are matched elementwise."""
    orders = [torch.randperm(len(index), generator=generator).to(index.device) for _ in range(2)]
    first, second = (torch.split(index[order], PAIR_BATCH) for order in orders)
    met = [(a[: len(b)], b[: len(a)]) for a in first for b in second]
    return torch.cat([a for a, _ in met]), torch.cat([b for _, b in met])


def closest_of(points: Points, i: Tensor, j: Tensor, allowed: Tensor) -> ClosestPair:
    """The closest of the allowed pairs (i, j)."""
    found = ClosestPair()
    found.offer(points, i[allowed], j[allowed])
    return found
