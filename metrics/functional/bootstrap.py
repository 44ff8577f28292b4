"""Bootstrap over points: the values of a statistic when the points are drawn again."""

from collections.abc import Callable

import torch
from torch import Tensor


def bootstrap(
    statistic: Callable[[Tensor], Tensor], count: int, resamples: int = 1000, seed: int = 0
) -> Tensor:
    """Values of `statistic` over resamples of `count` independent points, with replacement.

    Reading it: hand them to `Estimate.of_resamples`. Their spread is due to which points were
    drawn, given their measured values; it does not contain the bias of an estimator. Points that
    are not independent go by clusters: see `bootstrap_weights`.

    Args:
        statistic: Maps (B, count) point numbers (CPU), one resample a row, to (B,) values.
        count: Number of points.
        resamples: Number of resamples.
        seed: Of the resampling alone.

    Returns:
        (resamples,) float64.

    Raises:
        ValueError: If count or resamples is below 1.

    Example:
        >>> points = torch.arange(100, dtype=torch.float64)
        >>> means = bootstrap(lambda rows: points[rows].mean(1), count=100)
        >>> round(float(means.std()))  # 28.9 / sqrt(100)
        3
    """
    if count < 1 or resamples < 1:
        raise ValueError(f"count={count} and resamples={resamples} must be at least 1")
    generator = torch.Generator().manual_seed(seed)
    step = max(1, 2**22 // count)  # 32 MB of point numbers at a time
    parts = []
    for start in range(0, resamples, step):
        shape = (min(step, resamples - start), count)
        parts.append(statistic(torch.randint(count, shape, generator=generator)))
    return torch.cat(parts).double()
