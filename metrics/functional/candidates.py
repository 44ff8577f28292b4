"""The smallest values of each row of a matrix that arrives block by block."""

import torch
from torch import Tensor


class Candidates:
    """For each of n rows the `kept` smallest values offered so far, with their column numbers.

    After the first few blocks almost no value beats the worst one kept, so a block costs one
    comparison per value and only the hits are sorted in. A `topk` of every block would take longer
    than the products that fill it (N=50,000, D=512).
    """

    def __init__(self, rows: int, kept: int, device: torch.device) -> None:
        # squared: (rows, kept) ascending; indices: (rows, kept) columns of those values
        self.squared = torch.full((rows, kept), torch.inf, dtype=torch.float64, device=device)
        self.indices = torch.full((rows, kept), -1, dtype=torch.int64, device=device)

    def offer(self, rows: slice, values: Tensor, first: int) -> None:
        """Keep the values (rows, width) that are small enough; columns `first`, `first` + 1, ..."""
        kept = self.squared.shape[1]
        worst = self.squared[rows, -1].to(values.dtype)
        hits = values < worst[:, None]
        if int(hits.count_nonzero()) > 2 * kept * len(values):
            few = min(kept, values.shape[1])
            squared, indices = values.topk(few, dim=1, largest=False, sorted=False)
        else:
            squared, indices = _gather_ragged(values, hits)
        squared = torch.cat([self.squared[rows], squared.double()], dim=1)
        indices = torch.cat([self.indices[rows], indices + first], dim=1)
        self.squared[rows], order = squared.topk(kept, dim=1, largest=False)
        self.indices[rows] = indices.gather(1, order)


def _gather_ragged(values: Tensor, hits: Tensor) -> tuple[Tensor, Tensor]:
    """The marked values of each row, moved to its left end; the rest is infinite."""
    row, column = hits.nonzero(as_tuple=True)
    counts = row.bincount(minlength=len(values))
    place = torch.arange(len(row), device=row.device) - (counts.cumsum(0) - counts)[row]
    shape = (len(values), int(counts.max()))
    squared = torch.full(shape, torch.inf, dtype=values.dtype, device=values.device)
    indices = torch.full(shape, -1, dtype=torch.int64, device=values.device)
    squared[row, place] = values[row, column]
    indices[row, place] = column
    return squared, indices
