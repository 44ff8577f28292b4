"""The smallest values of each row of a matrix that arrives block by block."""

import torch
from torch import Tensor

GROUPS = (32, 8, 1)  # neighbouring values of which only the smallest is compared first


class Candidates:
    """The `kept` smallest values of each row so far, with their column numbers.

    After the first few blocks almost no value is below the largest stored one, so a block costs one
    minimum per group of values. The few smaller values (hits) are collected, and sorted in once
    they are many. A `topk` of every block would take longer than the products that fill it
    (N=50,000, D=512); it is used for blocks with several times `kept` hits per row, which also
    limits the memory of the hits.
    """

    def __init__(self, rows: int, kept: int, device: torch.device) -> None:
        # squared: (rows, kept) ascending; indices: (rows, kept) columns of those values
        self.squared = torch.full((rows, kept), torch.inf, dtype=torch.float64, device=device)
        self.indices = torch.full((rows, kept), -1, dtype=torch.int64, device=device)
        # hits not sorted in yet, by the slice they were offered for: (row in it, value, column)
        self._waiting: dict[tuple[int, int], list[tuple[Tensor, Tensor, Tensor]]] = {}

    def offer(self, rows: slice, values: Tensor, first: int) -> None:
        """Add values (rows, width) of the columns `first`, `first` + 1, ...

        The row slices of all calls must be equal or disjoint. Call `settle` after the last one.
        """
        kept, (count, width) = self.squared.shape[1], values.shape
        worst = self.squared[rows, -1].to(values.dtype)
        group = next(g for g in GROUPS if width % g == 0 and (width // g > kept or g == 1))
        least = _least(values, group)
        if kept <= least.shape[1] and bool((worst == torch.inf).any()):
            # at least `kept` values are no larger than the `kept`-th smallest minimum
            bound = least.kthvalue(kept, 1).values
            worst = torch.minimum(worst, bound.nextafter(torch.full_like(bound, torch.inf)))
        better = least < worst[:, None]
        if int(better.count_nonzero()) > kept * count:  # values that descend from block to block
            self._take_smallest(rows, values, first)
            return
        row, near = better.nonzero(as_tuple=True)
        hits = values.unflatten(1, (-1, group))[row, near]  # (groups with a hit, group)
        better = hits < worst[row, None]
        if int(better.count_nonzero()) > 2 * kept * count:
            self._take_smallest(rows, values, first)
            return
        which, place = better.nonzero(as_tuple=True)
        column = near[which] * group + place + first
        waiting = self._waiting.setdefault((rows.start, rows.stop), [])
        waiting.append((row[which], hits[which, place], column))
        if sum(len(part[0]) for part in waiting) > kept * count:
            self._sort_in(rows)

    def settle(self) -> "Candidates":
        """Sort in the collected hits, and return `self`."""
        for start, stop in list(self._waiting):
            self._sort_in(slice(start, stop))
        return self

    def _take_smallest(self, rows: slice, values: Tensor, first: int) -> None:
        few = values.topk(min(values.shape[1], self.squared.shape[1]), dim=1, largest=False)
        self._merge(rows, few.values, few.indices + first)

    def _sort_in(self, rows: slice) -> None:
        parts = self._waiting.pop((rows.start, rows.stop))
        row, squared, indices = (torch.cat(part) for part in zip(*parts, strict=True))
        order = squared.sort(stable=True).indices
        row, again = row[order].sort(stable=True)  # by row, then by value
        order = order[again]
        counts = row.bincount(minlength=rows.stop - rows.start)
        place = torch.arange(len(row), device=row.device) - (counts.cumsum(0) - counts)[row]
        kept = place < self.squared.shape[1]  # so that one row with many hits widens no table
        row, place, order = row[kept], place[kept], order[kept]
        shape = (len(counts), min(int(counts.max()), self.squared.shape[1]))
        wide = torch.full(shape, torch.inf, dtype=squared.dtype, device=row.device)
        columns = torch.full(shape, -1, dtype=torch.int64, device=row.device)
        wide[row, place] = squared[order]
        columns[row, place] = indices[order]
        self._merge(rows, wide, columns)

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
