"""The closest pairs of different labels in draws from one set of images."""

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from metrics.functional.closest_pairs import (
    Allowed,
    ClosestPair,
    Distances,
    Tile,
    closest_pairs,
    label_tiles,
)
from metrics.functional.projection_bounds import PROJECTED, ProjectionBounds
from metrics.functional.sharpness_interval import NEAREST, nearest_in_tile
from metrics.functional.squared_distances import Points, squared_distances

WIDE = 2**14  # values of an image above which measuring a pair costs more than one Gram matrix
UNION = 4096  # images whose distances fit in memory (64 MB); above it each draw computes its own


def all_pairs(
    points: Points, y: Tensor, samples: list[Tensor], rules: Sequence[Allowed | None]
) -> tuple[list[list[ClosestPair]], Tensor]:
    """Each sample's closest pairs, and the smallest distances of the first for the interval."""
    distances, short = _distances(points, y, samples)
    if short is not None:
        found = [short.closest_pairs(y, index, rules) for index in samples]
        return found, short.nearest(y, samples[0], NEAREST)
    nearest: list[Tensor] = []

    def tiles_of(index: Tensor) -> Iterator[Tile]:
        for tile in label_tiles(y, index, distances):
            if index is samples[0]:  # in the same pass: a tile is a product
                nearest.append(nearest_in_tile(points, tile))
            yield tile

    found = [closest_pairs(points, tiles_of(index), rules) for index in samples]
    return found, torch.cat(nearest).sort().values[:NEAREST]


def _distances(
    points: Points, y: Tensor, samples: list[Tensor]
) -> tuple[Distances, ProjectionBounds | None]:
    """The cheapest way to the draws' closest pairs.

    Bounds from short projections of the images, which leave few pairs to measure; or all products,
    computed on demand or read from one Gram matrix over the union of the draws.
    """

    def products(rows: Tensor, columns: Tensor) -> Tensor:
        return squared_distances(points, rows, points, columns)

    union = torch.unique(torch.cat(samples))
    pairs = sum(len(index) ** 2 for index in samples)
    shared = len(union) <= UNION and len(union) ** 2 < pairs  # one Gram matrix for all draws
    worth = 16 * PROJECTED * len(union) <= min(pairs, len(union) ** 2)
    if worth and points.dimension > 4 * PROJECTED and not (shared and points.dimension > WIDE):
        return products, ProjectionBounds(points, union)
    if not shared:
        return products, None
    squared = torch.full((len(union), len(union)), torch.inf, device=union.device)
    for rows, columns, tile in label_tiles(y, union, products):  # pairs of one class: never
        place = torch.searchsorted(union, rows), torch.searchsorted(union, columns)
        squared[place[0][:, None], place[1]] = tile

    def read(rows: Tensor, columns: Tensor) -> Tensor:
        return squared[torch.searchsorted(union, rows)][:, torch.searchsorted(union, columns)]

    return read, None
