"""Nearest neighbours.

Peers: scikit-learn's brute force on float32 (what scikit-dimension calls), one full float32 matrix
product of the same size (the bound), and the published code's way: direct distances, then a sort
and a Python loop over the rows that skips zero distances.
"""

import resource
from collections.abc import Iterable

import torch
from sklearn.neighbors import NearestNeighbors
from torch import Tensor

from benchmarks.harness import Row, compare
from metrics.functional.neighbours import neighbours

K = 20


def image_like(n: int, d: int) -> Tensor:
    """Rows with the neighbour structure of images: 20 directions vary most, all vary a little."""
    generator = torch.Generator().manual_seed(0)
    directions = torch.randn(20, d, generator=generator)
    x = torch.empty(n, d)
    for rows in torch.arange(n).split(max(1, 2**22 // d)):  # peak memory is then x alone
        noise = torch.randn(len(rows), d, generator=generator)
        x[rows] = torch.randn(len(rows), 20, generator=generator) @ directions + noise
    return x


def sklearn(x: Tensor) -> object:
    """Brute force of scikit-learn."""
    return NearestNeighbors(n_neighbors=K, algorithm="brute").fit(x.numpy()).kneighbors()


def full_product(x: Tensor) -> None:
    """One Gram product, by rows so that it needs no N x N."""
    for rows in x.split(2048):
        rows @ x.T


def published(x: Tensor, batch: int = 100) -> Tensor:
    """Direct distances of a batch of rows, sorted, and a loop over rows for the non-zero ones."""
    nearest = []
    for rows in x.split(batch):
        distances = torch.cdist(rows, x, compute_mode="donot_use_mm_for_euclid_dist")
        for row in distances.sort(dim=1).values:
            nearest.append(row[row > 0][:K])
    return torch.stack(nearest)


def extra_megabytes(x: Tensor) -> float:
    """Growth of the process's peak memory during one search."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    neighbours(x, K)
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024


def run() -> Iterable[Row]:
    """The sizes of image sets at 224 and 32 pixels, of features, and of the published code."""
    cases = [(1750, 150_528, 4.0, 1), (20_000, 3_072, 3.5, 1), (50_000, 512, 2.4, 1)]
    for n, d, goal, repeats in cases:
        x = image_like(n, d)
        case = f"N={n:,} D={d:,}"
        memory = extra_megabytes(x)
        ours, product, peer = compare(
            lambda x=x: neighbours(x, K),
            lambda x=x: full_product(x),
            lambda x=x: sklearn(x),
            repeats=repeats,
        )
        note = f"{memory:.0f} MB beyond input; at most {2 * peer / product:.1f}x: half a product"
        yield Row(case, ours, "scikit-learn brute", peer, goal, note)
        # at most 1.1 products in the first case = a ratio of at least 0.91
        yield Row(case, ours, "one full product", product, 0.91 if n == 1750 else None, "the bound")
    x = image_like(400, 50_176)
    ours, peer = compare(lambda: neighbours(x, K), lambda: published(x), repeats=1)
    yield Row("N=400 D=50,176", ours, "direct distances, row loop", peer, 25)
