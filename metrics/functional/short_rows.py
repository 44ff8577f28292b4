"""Closest pairs of images among the few whose short projections are close."""

from collections.abc import Sequence

import torch
from torch import Tensor

from metrics.functional.closest_opposites import (
    Allowed,
    ClosestPair,
    Distances,
    closest_pairs,
    label_tiles,
)
from metrics.functional.squared_distances import GRAM_ERROR, Points, squared_distances

SHORT = 64  # numbers that remain of an image
ERROR = 16 * GRAM_ERROR  # of a squared distance of projections, in units of the images' norms
FIRST = 16  # pairs of a tile measured to have a distance that the others must beat
PAIR = 150  # pairs multiplied in the time of one measured from float64 differences (D = 3,072)


class ShortRows:
    """Images projected onto the span of 64 of them, to bound their distances from below.

        ||Q^T a - Q^T b||_2 <= ||a - b||_2,   Q: orthonormal, (D, 64)

    The span of some images holds most of the differences of the others: of 250,000 pairs of
    CIFAR-10 images 50 have a projected distance below the smallest true one, of brain or breast
    slices at most 3,000. Measuring those alone gives the same closest pair as all products.

    Args:
        points: The images.
        rows: Which of them to project, ascending.
    """

    def __init__(self, points: Points, rows: Tensor) -> None:
        self._points, self._rows = points, rows
        everything = slice(None)
        chosen = rows[:: max(1, len(rows) // SHORT)][:SHORT]
        basis = torch.linalg.qr(points.read(chosen, everything, torch.float32).T)[0]
        short, norms = [], []
        for some in torch.split(rows, max(1, 2**22 // points.dimension)):
            block = points.read(some, everything, torch.float32)
            short.append(block @ basis)
            norms.append(torch.linalg.vecdot(block, block))
        self._short, self._norms = Points(torch.cat(short)), torch.cat(norms)

    def bounds(self, rows: Tensor, columns: Tensor) -> Tensor:
        """Numbers no larger than the squared distances, in units of the points' scale^2."""
        i, j = (torch.searchsorted(self._rows, part) for part in (rows, columns))
        squared = squared_distances(self._short, i, self._short, j) * self._short.scale**2
        return squared - ERROR * (self._norms[i, None] + self._norms[j]) - 1e-30

    def closest_pairs(
        self, y: Tensor, index: Tensor, block: int, rules: Sequence[Allowed], products: Distances
    ) -> list[ClosestPair]:
        """As `closest_pairs` of all tiles of the images `index`, in less time."""
        points, closest = self._points, [ClosestPair() for _ in rules]
        for rows, columns, bounds in label_tiles(y, index, block, self.bounds):
            for found, allowed in zip(closest, rules, strict=True):
                low = bounds.masked_fill(~allowed(rows[:, None], columns), torch.inf)
                first = low.flatten().topk(min(FIRST, low.numel()), largest=False).indices
                i, j = first // len(columns), first % len(columns)
                sure = low[i, j] < torch.inf
                found.offer(points, rows[i[sure]], columns[j[sure]])
                low[i, j] = torch.inf
                i, j = (low <= (found.distance / points.scale) ** 2).nonzero(as_tuple=True)
                if len(i) * PAIR <= low.numel():
                    found.offer(points, rows[i], columns[j])
                else:
                    tile = rows, columns, products(rows, columns)
                    closest_pairs(points, [tile], [allowed], [found])
        return closest
