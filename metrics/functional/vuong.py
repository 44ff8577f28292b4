"""Vuong's test: which of two non-nested laws is closer to the data."""

import math
from dataclasses import dataclass

from scipy import special  # torch has no Student's t
from torch import Tensor

# points; a 5 % test of two Gaussian laws has false positives of 14 % at 3, 8 % at 30, 6 % at 100
LEAST = 300


@dataclass(frozen=True)
class VuongTest:
    """Outcome of Vuong's test."""

    log_ratio: float  # log likelihood of A minus that of B
    z: float  # positive favours A
    p: float  # two-sided; NaN with fewer than 300 points


def vuong_test(a: Tensor, b: Tensor) -> VuongTest:
    """Test whether two models explain the data equally well.

        m_i = log p_A(x_i) - log p_B(x_i)
        z = sum_i m_i / sqrt(n/(n-1) sum_i (m_i - mean m)^2)
        p from Student's t with n - 1 degrees of freedom        (Vuong 1989)

    Reading it: |z| < 2 means that the data do not distinguish the two, however large the log ratio
    is. For non-nested models with the same number of parameters, and many independent points,
    because log likelihoods are skewed; `likelihood_ratio` compares laws on a few data sets.

    `a` and `b` are (points,) log likelihoods under models A and B, each at its best parameters.

    Example:
        >>> import torch
        >>> vuong_test(torch.tensor([1.0, 2.0, 3.0]), torch.zeros(3))   # z = 6 / sqrt(3)
        VuongTest(log_ratio=6.0, z=3.464..., p=nan)
    """
    if a.shape != b.shape or a.ndim != 1 or len(a) < 2:
        raise ValueError(
            f"log likelihoods of shapes {tuple(a.shape)} and {tuple(b.shape)}: "
            "need the same (points,) with at least 2"
        )
    m = a.double() - b.double()
    if not bool(m.isfinite().all()):
        raise ValueError("a log likelihood is not finite; leave that point out of both models")
    count = len(m)
    spread = (m - m.mean()).square().sum().sqrt()
    if not spread > 0:
        raise ValueError("the two models differ by the same amount everywhere; nothing to compare")
    z = float(m.sum() / spread) * math.sqrt(1 - 1 / count)
    p = 2 * float(special.stdtr(count - 1, -abs(z))) if count >= LEAST else math.nan
    return VuongTest(float(m.sum()), z, p)
