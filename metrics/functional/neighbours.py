"""The k nearest neighbours of every image, exact, in the time of half a matrix product."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from metrics.functional.candidates import Candidates
from metrics.functional.checks import check_points, check_whole
from metrics.functional.squared_distances import (
    GRAM_ERROR,
    GRAM_ERROR_FLOAT64,
    Points,
    exact_distances,
    squared_distances,
)

# A pair closer than 1/16 of its norms is recomputed from differences: beyond that the Gram product
# gives the distance to 1e-6 or better (LGG brain slices: 7e-8).
DOUBTFUL = 1 / 16
EXACT_ANYWAY = 2**26  # values: below this (a tenth of a second) all candidates are recomputed


@dataclass(frozen=True)
class Neighbours:
    """Nearest neighbours of Q points, nearest first."""

    distances: Tensor  # (Q, k) float64 ascending; equal images are at exactly 0
    indices: Tensor  # (Q, k) int64 rows of the reference set

    def cpu(self) -> "Neighbours":
        """A copy in main memory."""
        return Neighbours(self.distances.cpu(), self.indices.cpu())

    @property
    def zeros(self) -> Tensor:
        """(Q,) number of neighbours at distance 0: exact duplicates of the point."""
        return (self.distances == 0).sum(1)

    def distinct(self, k: int) -> Tensor:
        """Distances to the first k neighbours that are no duplicates, (used, k).

        Points without k of them among those computed are left out; `used` is the number of the
        others. Compute a few more than k neighbours if duplicates are expected.

        Raises:
            ValueError: If fewer than k neighbours were computed, or no point has k distinct ones.
        """
        computed = self.distances.shape[1]
        if check_whole("k", k, least=1) > computed:
            raise ValueError(f"k={k}, but neighbours(x, k={computed}) has 1..{computed}")
        rows = self.zeros + k <= computed
        if not rows.any():
            raise ValueError(
                f"no point has k={k} neighbours at a distance above 0 among its {computed} nearest "
                f"({int(self.zeros.sum())} are duplicates); remove duplicates or compute more"
            )
        columns = self.zeros[rows, None] + torch.arange(k, device=self.distances.device)
        return self.distances[rows].gather(1, columns)


def neighbours(x: Tensor, k: int, *, query: Tensor | None = None, block: int = 2048) -> Neighbours:
    """The k nearest rows of `x` (L2) for every row of `x`, or of `query`.

        T_1(x) <= ... <= T_k(x):  the k smallest ||x - x_j||_2,  j != own row

    Gram products by blocks (of the upper triangle, used for both their rows and their columns)
    choose k + max(8, k/4) candidates per row; differences in float64 decide among them. If float32
    cannot separate the candidates of a row from the rest, the row is recomputed with float64
    products, and if these cannot either, by differences to all rows. So the neighbours are exact
    also among near-duplicates and beside an outlier of any size; distances are within 1e-6
    (relative), those of near-duplicates to float64.

    Reading it: one result is enough for every estimator and every smaller k. Many zeros mean
    duplicated images. A nearest distance far below the others means near-duplicates, such as slices
    of one volume.

    Args:
        x: (N, ...) reference points of any real dtype; uint8 images need no conversion.
        k: Neighbours per point.
        query: (Q, ...) points to find neighbours of; by default `x` itself, without the own row.
        block: Rows of a block; memory beyond the input is about 40 block^2 bytes.

    Example:
        >>> x = torch.tensor([[0.0], [1.0], [3.0], [3.0]])
        >>> found = neighbours(x, k=2)
        >>> found.distances.tolist()
        [[1.0, 3.0], [1.0, 2.0], [0.0, 2.0], [0.0, 2.0]]
        >>> found.zeros.tolist()
        [0, 0, 1, 1]
    """
    check_whole("block", block, least=1)
    check_whole("k", k, least=1)
    if query is not None:
        check_points("query", query)
    reference = Points(x, beside=query)
    points = reference if query is None else Points(query, "query", like=reference)
    available = len(reference) - (points is reference)
    if k > available:
        raise ValueError(
            f"k={k} neighbours requested of {len(reference)} points; "
            f"k must be in 1..{available}, so lower k or add points"
        )
    kept = min(k + max(8, k // 4), available)
    best = Candidates(len(points), kept, points.x.device)
    for rows, columns, tile in _tiles(points, reference, block):
        best.offer(rows, tile, columns.start)
        if points is reference and rows != columns:
            best.offer(columns, tile.T, rows.start)
    everyone = torch.arange(len(points), device=x.device)
    distances, indices = _refine(best, points, everyone, reference)
    unsure = _unsure(best, everyone, distances[:, k - 1], points, GRAM_ERROR)
    if kept < available and unsure.any():
        for some in torch.split(everyone[unsure], block):
            best = _in_float64(points, some, reference, kept, block)
            distances[some], indices[some] = _refine(best, points, some, reference)
            unsure = _unsure(best, some, distances[some, k - 1], points, GRAM_ERROR_FLOAT64)
            for row in some[unsure].tolist():
                distances[row], indices[row] = _by_differences(points, row, reference, kept)
    return Neighbours(distances[:, :k].contiguous(), indices[:, :k].contiguous())


def _unsure(
    best: Candidates, rows: Tensor, reach: Tensor, points: Points, gram_error: float
) -> Tensor:
    """Which rows may have a neighbour nearer than `reach`, the k-th, among the non-candidates.

    Non-candidates are at least as far as the last candidate, up to the error of both distances;
    their norm is at most 2 (own norm + distance^2). Nothing is nearer than 0.
    """
    squared = (reach / points.scale) ** 2
    error = 4 * gram_error * (points.norms[rows] + squared)
    if gram_error == GRAM_ERROR:
        error += 1e-30  # squares below float32's range
    return (squared + error > best.squared[:, -1]) & (reach > 0)


def _tiles(a: Points, b: Points, block: int) -> Iterator[tuple[slice, slice, Tensor]]:
    """Squared distances block by block: all of a x b, or the upper triangle of a x a."""
    for rows in a.blocks(block):
        for columns in b.blocks(block):
            if a is b and columns.start < rows.start:
                continue
            tile = squared_distances(a, rows, b, columns)
            if a is b and rows == columns:
                tile.fill_diagonal_(torch.inf)
            yield rows, columns, tile


def _in_float64(
    points: Points, rows: Tensor, reference: Points, kept: int, block: int
) -> Candidates:
    """The `kept` nearest candidates of a few rows, by float64 products."""
    best = Candidates(len(rows), kept, points.x.device)
    for columns in reference.blocks(block):
        tile = squared_distances(points, rows, reference, columns, torch.float64)
        if points is reference:
            own = ((rows >= columns.start) & (rows < columns.stop)).nonzero().flatten()
            tile[own, rows[own] - columns.start] = torch.inf
        best.offer(slice(0, len(rows)), tile, columns.start)
    return best


def _by_differences(
    points: Points, row: int, reference: Points, kept: int
) -> tuple[Tensor, Tensor]:
    """Distances and indices of the `kept` nearest of one row, by differences to all rows."""
    everyone = torch.arange(len(reference), device=reference.x.device)
    own = torch.full_like(everyone, row)
    distances = exact_distances(points, own, reference, everyone)
    if points is reference:
        distances[row] = torch.inf
    distances, nearest = distances.sort(stable=True)
    return distances[:kept], nearest[:kept]


def _refine(
    best: Candidates, points: Points, rows: Tensor, reference: Points
) -> tuple[Tensor, Tensor]:
    """Exact distances of the candidates of `points[rows]`, sorted; ties by index.

    All are recomputed if that is cheap compared with the products, else those that the products may
    have wrong.
    """
    distances = best.squared.clamp(min=0).sqrt() * reference.scale
    products = len(rows) * len(reference) * points.dimension
    if distances.numel() * points.dimension <= max(EXACT_ANYWAY, products // 8192):
        doubtful = torch.ones_like(distances, dtype=torch.bool)
    else:
        norms = points.norms[rows, None] + reference.norms[best.indices]
        doubtful = best.squared < DOUBTFUL * norms
    row, column = doubtful.nonzero(as_tuple=True)
    partner = best.indices[row, column]
    distances[row, column] = exact_distances(points, rows[row], reference, partner)
    indices, order = best.indices.sort(dim=1)
    distances, nearest = distances.gather(1, order).sort(dim=1, stable=True)
    return distances, indices.gather(1, nearest)
