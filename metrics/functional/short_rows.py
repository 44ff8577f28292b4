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
from metrics.functional.squared_distances import Points

PROJECTED = 64  # numbers that remain of an image
MEASURED_FIRST = 16  # pairs of a tile measured to have a distance that the others must beat
PRODUCTS_PER_DIFFERENCE = 150  # pairs multiplied while one is measured in float64 (D = 3,072)
# Error of a bound in units of ||a||^2 + ||b||^2 about the images' centre, with u = 2^-24: a dot
# product of 64 float32 values 64u, whatever its order; projections rounded to float32 4u; two sums,
# the terms and the limit they are compared with rounded to float32 7u; basis and projections,
# which are computed in float64, below 5u. Of 80u, 128u are allowed.
ERROR = 2.0**-17


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
        chosen = rows[:: max(1, len(rows) // PROJECTED)][:PROJECTED]
        basis = torch.linalg.qr(points.read(chosen, everything, torch.float64).T)[0]
        short, terms = [], []
        for some in torch.split(rows, max(1, 2**21 // points.dimension)):
            block = points.read(some, everything, torch.float64)
            # about the images' own centre: another one would add an error in units of other norms
            short.append((block @ basis).float())
            lower = -ERROR * torch.linalg.vecdot(block, block) - 1e-30  # squares below float32
            terms.append(torch.linalg.vecdot(short[-1].double(), short[-1].double()) + lower)
        self._short, self._terms = torch.cat(short), torch.cat(terms).float()

    def bounds(self, rows: Tensor, columns: Tensor) -> Tensor:
        """Numbers no larger than the squared distances, in units of the points' scale^2."""
        i, j = (torch.searchsorted(self._rows, part) for part in (rows, columns))
        products = self._short[i] @ self._short[j].T
        return products.mul_(-2).add_(self._terms[i, None]).add_(self._terms[j])

    def closest_pairs(
        self, y: Tensor, index: Tensor, block: int, rules: Sequence[Allowed], products: Distances
    ) -> list[ClosestPair]:
        """As `closest_pairs` of all tiles of the images `index`, in less time."""
        points, closest = self._points, [ClosestPair() for _ in rules]
        for rows, columns, bounds in label_tiles(y, index, block, self.bounds):
            for found, allowed in zip(closest, rules, strict=True):
                low = bounds.masked_fill(~allowed(rows[:, None], columns), torch.inf)
                first = low.flatten().topk(min(MEASURED_FIRST, low.numel()), largest=False).indices
                i, j = first // len(columns), first % len(columns)
                sure = low[i, j] < torch.inf
                found.offer(points, rows[i[sure]], columns[j[sure]])
                low[i, j] = torch.inf
                i, j = (low <= (found.distance / points.scale) ** 2).nonzero(as_tuple=True)
                if len(i) * PRODUCTS_PER_DIFFERENCE <= low.numel():
                    found.offer(points, rows[i], columns[j])
                else:
                    tile = rows, columns, products(rows, columns)
                    closest_pairs(points, [tile], [allowed], [found])
        return closest
