"""The closest pair of differently labelled images, found by Gram products and confirmed exactly."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from metrics.functional.squared_distances import GRAM_ERROR, Points, exact_distances

Allowed = Callable[[Tensor, Tensor], Tensor]  # numbers of two images (broadcast) -> bool
Distances = Callable[[Tensor, Tensor], Tensor]  # numbers of R and C images -> (R, C) squared
Tile = tuple[Tensor, Tensor, Tensor]  # row numbers, column numbers, Gram squared distances
BLOCK = 2048  # rows and columns of a tile


@dataclass
class ClosestPair:
    """The closest allowed pair so far, and the allowed pairs at distance 0."""

    distance: float = torch.inf  # smallest one above 0
    pair: tuple[int, int] = (-1, -1)
    zeros: set[tuple[int, int]] = field(default_factory=set)

    def offer(self, points: Points, i: Tensor, j: Tensor) -> None:
        """Add the pairs (i, j), measured exactly."""
        distances = exact_distances(points, i, points, j)
        zero = distances == 0
        pairs = zip(i[zero].tolist(), j[zero].tolist(), strict=True)
        self.zeros |= {(min(pair), max(pair)) for pair in pairs}
        distances[zero] = torch.inf
        best = int(distances.argmin()) if len(distances) else -1
        if best >= 0 and float(distances[best]) < self.distance:
            self.distance = float(distances[best])
            self.pair = min(int(i[best]), int(j[best])), max(int(i[best]), int(j[best]))


def closest_pairs(
    points: Points,
    tiles: Iterable[Tile],
    rules: Sequence[Allowed | None],
    closest: list[ClosestPair] | None = None,
) -> list[ClosestPair]:
    """The closest pair under each rule; every pair within the Gram error is measured exactly.

    `closest` has those found before, which are changed in place. The rule None allows all pairs of
    the tiles.
    """
    closest = closest or [ClosestPair() for _ in rules]
    for rows, columns, distances in tiles:
        a, b = points.norms[rows].to(distances.dtype), points.norms[columns].to(distances.dtype)
        # per pair: an outlier affects only its own pairs
        error = GRAM_ERROR * (a[:, None] + b) + 1e-30
        least, most = distances - error, distances + error
        for found, allowed in zip(closest, rules, strict=True):
            low, high = least.clone(), most.clone()
            if allowed is not None:
                forbidden = ~allowed(rows[:, None], columns)
                low.masked_fill_(forbidden, torch.inf)
                high.masked_fill_(forbidden, torch.inf)
            while True:  # a second round only if all pairs measured were equal images
                bound = min((found.distance / points.scale) ** 2, float(high.min()))
                i, j = (low <= bound).nonzero(as_tuple=True)
                if not len(i) or bound == torch.inf:
                    break
                found.offer(points, rows[i], columns[j])
                low[i, j] = high[i, j] = torch.inf
    return closest


def label_tiles(y: Tensor, index: Tensor, distances: Distances) -> Iterator[Tile]:
    """Gram squared distances of the images `index`, for each pair of classes once."""
    index = index[y[index].argsort(stable=True)]
    ends = torch.unique_consecutive(y[index], return_counts=True)[1].cumsum(0).tolist()
    start = 0
    for end in ends[:-1]:
        for rows in torch.split(index[start:end], BLOCK):
            for columns in torch.split(index[end:], BLOCK):
                yield rows, columns, distances(rows, columns)
        start = end
