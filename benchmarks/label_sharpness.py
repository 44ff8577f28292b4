"""Label sharpness, 25 draws of 1,000 images.

Peers: all distances of each draw by `torch.cdist`; the same for cross-class pairs only (a quarter
of them); and the published code, which uses 2,000 elementwise pairs of a draw, 0.2 %.
"""

from collections.abc import Iterable

import torch
from torch import Tensor

from benchmarks.harness import Row, compare
from benchmarks.neighbours import image_like
from metrics.functional.balanced_draws import balanced_draws
from metrics.functional.label_sharpness import label_sharpness
from metrics.functional.opposite_pairs import UNION

DRAWS, SAMPLE, BATCH = 25, 1000, 500


def cdist_draw(x: Tensor, y: Tensor, rows: Tensor) -> float:
    """Exact sharpness of one draw by all its distances."""
    distances = torch.cdist(x[rows], x[rows], compute_mode="use_mm_for_euclid_dist")
    opposite = y[rows][:, None] != y[rows]
    return float(1 / distances[opposite].min())


def cross_class_draw(x: Tensor, y: Tensor, rows: Tensor) -> float:
    """Exact sharpness of one draw by all its cross-class distances."""
    zero, one = x[rows[y[rows] == 0]], x[rows[y[rows] == 1]]
    distances = torch.cdist(zero, one, compute_mode="use_mm_for_euclid_dist")
    return float(1 / distances.min())


def published_draw(x: Tensor, y: Tensor, rows: Tensor) -> float:
    """Largest ratio over elementwise pairs of shuffled batches."""
    best = 0.0
    for first in rows[torch.randperm(len(rows))].split(BATCH):
        for second in rows[torch.randperm(len(rows))].split(BATCH):
            distances = (x[first] - x[second]).norm(dim=1)
            ratios = (y[first] != y[second]) / distances
            best = max(best, *[float(r) for r in ratios if r.isfinite()])
    return best


def run() -> Iterable[Row]:
    """At 224 pixels in colour, where all draws share one Gram matrix, and at 32 pixels."""
    for n, d, exact_goal, published_goal in [
        (6_000, 3_072, None, None),
        (1750, 150_528, 30.0, 12.0),
    ]:
        x, y = image_like(n, d), torch.arange(n) % 2
        draws = balanced_draws(y, DRAWS, SAMPLE, torch.Generator().manual_seed(0))
        width = float(x.max() - x.min())
        # one draw of each peer, times 25: their draws are independent of each other
        ours, exact, cross, published = compare(
            lambda: label_sharpness(x, y, value_range=width, draws=DRAWS, sample=SAMPLE),  # noqa: B023
            lambda: cdist_draw(x, y, draws[0]),  # noqa: B023
            lambda: cross_class_draw(x, y, draws[0]),  # noqa: B023
            lambda: published_draw(x, y, draws[0]),  # noqa: B023
            repeats=1 if d > 100_000 else 3,
        )
        case = f"pool {n:,} D={d:,}"
        note = "peer timed on one draw, times 25"
        way = f"ours is little more than one product of {n * n * d / 2 / 1e9:.0f} GFLOP"
        if n > UNION:
            way = "ours measures the pairs that projections do not exclude"
        bound = f"{note}; {way}"
        yield Row(case, ours, "cdist per draw", DRAWS * exact, exact_goal, bound)
        yield Row(case, ours, "cdist per draw, cross-class", DRAWS * cross, 3.0, note)
        yield Row(case, ours, "published, 0.2 % of pairs", DRAWS * published, published_goal, note)
