"""Difference of the means of two independent samples of unequal scatter (Welch 1947)."""

import math

from torch import Tensor

from metrics.functional.clusters import LEAST_CLUSTERS
from metrics.functional.estimate import Estimate, student_quantile


def mean_difference(a: Tensor, b: Tensor, confidence: float = 0.95) -> Estimate:
    """Mean of a minus mean of b, with Welch's interval.

        (mean a - mean b) +- t_nu sqrt(v_a + v_b),   v = s^2 / n
        nu = (v_a + v_b)^2 / (v_a^2 / (n_a - 1) + v_b^2 / (n_b - 1))

    Reading it: for units that are independent, such as data sets of two domains; exp of a
    difference of logarithms is a ratio of geometric means. An interval without 0 shows a
    difference. There is none if a sample has fewer than 4 units.

    Example:
        >>> import torch
        >>> found = mean_difference(torch.tensor([3.0, 4.0, 5.0, 6.0]), torch.zeros(4))
        >>> round(found.low, 3), round(found.high, 3)   # 4.5 -+ 3.182 0.645
        (2.446, 6.554)
    """
    if not (len(a) and len(b)):
        raise ValueError(f"samples of {len(a)} and {len(b)} units: a difference needs both")
    a, b = a.double(), b.double()
    value = float(a.mean() - b.mean())
    if min(len(a), len(b)) < LEAST_CLUSTERS:
        return Estimate.unknown(value)
    v_a, v_b = (float(x.var()) / len(x) for x in (a, b))
    if v_a + v_b == 0:
        return Estimate.of(value, confidence=confidence)
    freedom = (v_a + v_b) ** 2 / (v_a**2 / (len(a) - 1) + v_b**2 / (len(b) - 1))
    half_width = student_quantile(freedom, confidence) * math.sqrt(v_a + v_b)
    return Estimate.of(value, half_width, confidence)
