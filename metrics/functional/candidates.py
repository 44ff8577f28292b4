"""The smallest values of each row of a matrix that arrives block by block."""

import torch
from torch import Tensor

GROUPS = (32, 8, 1)  # neighbouring values of which only the smallest is compared first


class Candidates:
    """The `kept` smallest values of each row so far, with their column numbers.

    After the first blocks almost no value is below the largest stored one, so a block costs one
    minimum per group of values, and the few smaller values (hits) are merged. A `topk` of every
    block would make the search a quarter slower (N=12,500, D=512).
    """

    def __init__(self, rows: int, kept: int, device: torch.device) -> None:
        # squared: (rows, kept) ascending; indices: (rows, kept) columns of those values
        self.squared = torch.full((rows, kept), torch.inf, dtype=torch.float64, device=device)
        self.indices = torch.full((rows, kept), -1, dtype=torch.int64, device=device)

    def offer(self, rows: slice, values: Tensor, first: int) -> None:
        """Add values (rows, width) of the columns `first`, `first` + 1, ..."""
        kept, (count, width) = self.squared.shape[1], values.shape
        worst = self.squared[rows, -1].to(values.dtype)
        group = next(g for g in GROUPS if width % g == 0 and (width // g > kept or g == 1))
        better = _least(values, group) < worst[:, None]
        if int(better.count_nonzero()) > kept * count:  # as in the first block
            self._merge_smallest(rows, values, first)
            return
        row, near = better.nonzero(as_tuple=True)
        hits = values.unflatten(1, (-1, group))[row, near]  # (groups with a hit, group)
        which, place = (hits < worst[row, None]).nonzero(as_tuple=True)
        row, hits, column = row[which], hits[which, place], near[which] * group + place + first
        counts = row.bincount(minlength=count)
        most = int(counts.max())
        if most > 4 * kept:  # one row with many hits must not widen the table of all
            self._merge_smallest(rows, values, first)
            return
        place = torch.arange(len(row), device=row.device) - (counts.cumsum(0) - counts)[row]
        squared = values.new_full((count, most), torch.inf)
        indices = torch.full((count, most), -1, dtype=torch.int64, device=row.device)
        squared[row, place], indices[row, place] = hits, column
        self._merge(rows, squared, indices)

    def _merge_smallest(self, rows: slice, values: Tensor, first: int) -> None:
        few = values.topk(min(values.shape[1], self.squared.shape[1]), dim=1, largest=False)
        self._merge(rows, few.values, few.indices + first)

    def _merge(self, rows: slice, squared: Tensor, indices: Tensor) -> None:
        squared = torch.cat([self.squared[rows], squared.double()], dim=1)
        indices = torch.cat([self.indices[rows], indices], dim=1)
        self.squared[rows], order = squared.topk(self.squared.shape[1], dim=1, largest=False)
        self.indices[rows] = indices.gather(1, order)


def _least(values: Tensor, group: int) -> Tensor:
    """Minimum of every `group` neighbours of a row, (rows, width / group)."""
    if group == 1:
        return values
    if values.stride(1) == 1:
        return values.unflatten(1, (-1, group)).amin(2)
    return values.T.unflatten(0, (-1, group)).amin(1).T  # the same, 25 times as fast here
