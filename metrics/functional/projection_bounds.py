"""Closest pairs of images among the few whose short projections are close."""

from collections.abc import Sequence

import torch
from torch import Tensor

from metrics.functional.closest_pairs import (
    Allowed,
    ClosestPair,
    Tile,
    closest_pairs,
    label_tiles,
)
from metrics.functional.full_float32 import full_float32
from metrics.functional.sharpness_interval import nearest_in_tile
from metrics.functional.squared_distances import Points, exact_distances, squared_distances

PROJECTED = 64  # numbers that remain of an image
MEASURED_FIRST = 16  # pairs of a tile measured to have a distance that the others must beat
PRODUCTS_PER_DIFFERENCE = 150  # pairs multiplied while one is measured in float64 (D = 3,072)
# Errors of a bound in units of ||a||^2 + ||b||^2 about the images' centre, with u = 2^-24.
# Of the distance of two projections: a dot product of 64 float32 values 64u, whatever its order;
# two sums, the terms and the limit they are compared with, rounded to float32, 7u; 128u allowed.
ERROR = 2.0**-17
# Of the projections: each of the 64 numbers of an image is a sum in float64 of float32 products of
# at most `COLUMNS` values, so ||Q^T a|| errs by eta ||a||, eta = 8 (COLUMNS + 3) u, and the squared
# distance by 4 eta (1 + eta). Five times eta also covers norms in float32. A product of D = 49,152
# values would need an error of 0.12, with which the search takes 100 times as long.
COLUMNS = 1024


class ProjectionBounds:
    """Images projected onto the span of 64 of them, to bound their distances from below.

        ||Q^T a - Q^T b||_2 <= ||a - b||_2,   Q: orthonormal, (D, 64)

    The span of some images holds most of the differences of the others: of 250,000 pairs of
    CIFAR-10 images only 50 have a projected distance below the smallest true one. Measuring those
    alone gives the same closest pair as all products.

    Args:
        points: The images.
        rows: Which of them to project, ascending.
    """

    @full_float32()  # the error below is that of products without TF32
    def __init__(self, points: Points, rows: Tensor) -> None:
        self._points, self._rows = points, rows
        everything = slice(None)
        chosen = rows[:: max(1, len(rows) // PROJECTED)][:PROJECTED]
        exact = points.read(chosen, everything, torch.float64)
        basis = torch.linalg.qr(exact.T)[0].float()
        error = ERROR + 5 * PROJECTED**0.5 * (min(points.dimension, COLUMNS) + 3) * 2.0**-24
        short, terms = [], []
        # most of the images: reading them all in order is faster than choosing rows
        whole = len(rows) > 0.8 * len(points)
        # 1 MB at a time stays in cache: two thirds of the time that 16 MB take
        size = max(1, 2**18 // points.dimension)
        for some in points.blocks(size) if whole else torch.split(rows, size):
            block = points.read(some, everything, torch.float32)
            # about the images' own centre: another one would add an error in units of other norms
            short.append(_products(block, basis))
            lower = -error * torch.linalg.vecdot(block, block).double() - 1e-30  # float32's range
            terms.append(torch.linalg.vecdot(short[-1].double(), short[-1].double()) + lower)
        kept = rows if whole else everything
        self._short, self._terms = torch.cat(short)[kept], torch.cat(terms).float()[kept]

    @full_float32()
    def bounds(self, rows: Tensor, columns: Tensor) -> Tensor:
        """Numbers no larger than the squared distances, in units of the points' scale^2."""
        i, j = (torch.searchsorted(self._rows, part) for part in (rows, columns))
        products = self._short[i] @ self._short[j].T
        return products.mul_(-2).add_(self._terms[i, None]).add_(self._terms[j])

    def closest_pairs(
        self, y: Tensor, index: Tensor, rules: Sequence[Allowed | None]
    ) -> list[ClosestPair]:
        """As `closest_pairs` of all tiles of the images `index`, in less time."""
        points, closest = self._points, [ClosestPair() for _ in rules]
        for rows, columns, bounds in label_tiles(y, index, self.bounds):
            for found, allowed in zip(closest, rules, strict=True):
                low = bounds
                if allowed is not None:
                    low = bounds.masked_fill(~allowed(rows[:, None], columns), torch.inf)
                i, j = _smallest(low, MEASURED_FIRST)
                found.offer(points, rows[i], columns[j])
                few = _up_to(low, (found.distance / points.scale) ** 2)
                if few is not None:
                    found.offer(points, rows[few[0]], columns[few[1]])
                else:
                    closest_pairs(points, [self._tile(rows, columns)], [allowed], [found])
        return closest

    def nearest(self, y: Tensor, index: Tensor, count: int) -> Tensor:
        """The `count` smallest distances between images `index` of different labels, ascending."""
        points = self._points
        best = torch.full((count,), torch.inf, dtype=torch.float64, device=index.device)
        for rows, columns, low in label_tiles(y, index, self.bounds):
            i, j = _smallest(low, count)
            first = exact_distances(points, rows[i], points, columns[j])
            limit = float(torch.cat([best, first]).sort().values[count - 1])
            few = _up_to(low, (limit / points.scale) ** 2)
            if few is not None:
                new = exact_distances(points, rows[few[0]], points, columns[few[1]])
            else:
                new = nearest_in_tile(points, self._tile(rows, columns), count)
            best = torch.cat([best, new]).sort().values[:count]
        return best[best < torch.inf]

    def _tile(self, rows: Tensor, columns: Tensor) -> Tile:
        return rows, columns, squared_distances(self._points, rows, self._points, columns)


def _products(block: Tensor, basis: Tensor) -> Tensor:
    """Block times basis in float32, summed in float64 after every `COLUMNS` columns."""
    parts = zip(block.split(COLUMNS, 1), basis.split(COLUMNS), strict=True)
    return torch.stack([(a @ b).double() for a, b in parts]).sum(0).float()


def _smallest(low: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """Places of the smallest finite value of each of the `count` rows where it is smallest."""
    least, i = low.amin(1).topk(min(count, len(low)), largest=False)
    i = i[least < torch.inf]
    return i, low[i].argmin(1)


def _up_to(low: Tensor, limit: float) -> tuple[Tensor, Tensor] | None:
    """Places of the values up to a limit; None where products of the whole tile are cheaper."""
    rows = (low.amin(1) <= limit).nonzero().flatten()
    i, j = (low[rows] <= limit).nonzero(as_tuple=True)
    return (rows[i], j) if len(i) * PRODUCTS_PER_DIFFERENCE <= low.numel() else None
