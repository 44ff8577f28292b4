"""Percentile bootstrap: how far a statistic moves when the points are drawn again."""

from collections.abc import Callable

import torch
from torch import Tensor


def percentile_interval(
    statistic: Callable[[Tensor], Tensor],
    count: int,
    resamples: int = 1000,
    seed: int = 0,
    level: float = 0.95,
) -> Tensor:
    """Bounds between which `statistic` lies in `level` of the resamples of `count` points.

    Reading it: the spread due to which points were drawn, given their measured values; it does not
    contain the bias of an estimator.

    Args:
        statistic: maps (B, count) point numbers, one resample a row, to (B, ...) values.
        count: number of points.
        resamples: number of resamples, drawn with replacement.
        seed: of the resampling alone.
        level: coverage of the interval.

    Returns:
        (2, ...) lower and upper bound, float64.

    Raises:
        ValueError: if count or resamples is below 1 or level is not inside (0, 1).

    Example:
        >>> values = torch.arange(100, dtype=torch.float64)
        >>> low, high = percentile_interval(lambda rows: values[rows].mean(1), count=100)
        >>> bool(43 < low < 45 and 54 < high < 56)  # 49.5 +- 1.96 * 28.9 / 10
        True
    """
    if count < 1 or resamples < 1 or not 0 < level < 1:
        raise ValueError(
            f"count={count} and resamples={resamples} must be at least 1, level={level} in (0, 1)"
        )
    generator = torch.Generator().manual_seed(seed)
    step = max(1, 2**22 // count)  # 32 MB of point numbers at a time
    values = torch.cat(
        [
            statistic(torch.randint(count, (min(step, resamples - b), count), generator=generator))
            for b in range(0, resamples, step)
        ]
    ).double()
    tail = (1 - level) / 2
    bounds = torch.tensor([tail, 1 - tail], dtype=torch.float64, device=values.device)
    return torch.quantile(values, bounds, dim=0)
