"""Vuong's test: which of two laws that do not contain each other is nearer to the data."""

import math
from dataclasses import dataclass

from torch import Tensor

from metrics.functional.cluster_bootstrap import Labels, clusters_of


@dataclass(frozen=True)
class VuongTest:
    """Outcome of Vuong's test."""

    log_ratio: float  # log likelihood of A minus that of B
    z: float  # positive favours A
    p: float  # two-sided

    def scalars(self) -> dict[str, float]:
        """Loggable numbers."""
        return {"log_ratio": self.log_ratio, "z": self.z, "p": self.p}


def vuong_test(a: Tensor, b: Tensor, groups: Labels | None = None) -> VuongTest:
    """Test whether two models explain the data equally well.

        m_i = log p_A(x_i) - log p_B(x_i),  z = sum_i m_i / sqrt(sum_g (sum_{i in g} m_i - mean)^2)
        (Vuong 1989 for one point a group)

    Reading it: |z| < 2 means that the data cannot tell the two apart, however large the log ratio
    looks. With groups the points of one group count as one piece of evidence; without them they
    must be independent. For models with the same number of parameters; p is asymptotic in groups.

    Args:
        a: (points,) log likelihood of each point under model A, at its best parameters.
        b: (points,) the same under model B.
        groups: (points,) group of each point.

    Returns:
        Log ratio, z and p.

    Raises:
        ValueError: If lengths differ, a value is not finite or the models do not differ anywhere.

    Example:
        >>> import torch
        >>> vuong_test(torch.tensor([1.0, 2.0, 3.0]), torch.zeros(3))   # z = 6 / sqrt(2)
        VuongTest(log_ratio=6.0, z=4.242..., p=2.2...e-05)
    """
    if a.shape != b.shape or a.ndim != 1 or len(a) < 2:
        raise ValueError(
            f"log likelihoods of shapes {tuple(a.shape)} and {tuple(b.shape)}: "
            "need the same (points,) with at least 2"
        )
    m = a.double() - b.double()
    if not bool(m.isfinite().all()):
        raise ValueError("a log likelihood is not finite; leave that point out of both models")
    spread = clusters_of(groups, len(m)).sums(m - m.mean()).square().sum().sqrt()
    if not spread > 0:
        raise ValueError("the two models differ by the same amount everywhere; nothing to compare")
    z = float(m.sum() / spread)
    return VuongTest(float(m.sum()), z, p=math.erfc(abs(z) / math.sqrt(2)))
