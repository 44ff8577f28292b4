"""Vuong's test: which of two laws that do not contain each other is nearer to the data."""

import math
from dataclasses import dataclass

from scipy import special  # torch has no Student's t
from torch import Tensor

from metrics.functional.cluster_bootstrap import Labels, clusters_of
from metrics.functional.cluster_mean import LEAST


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

        m_i = log p_A(x_i) - log p_B(x_i)
        z = sum_i m_i / sqrt(G/(G-1) sum_g (sum_{i in g} (m_i - mean m))^2)
        p from Student's t with G - 1 degrees of freedom
        (Vuong 1989 for many groups of one point, where t is normal)

    Reading it: |z| < 2 means that the data cannot tell the two apart, however large the log ratio
    looks. With groups the points of one group count as one piece of evidence; without them they
    must be independent. A normal p called 40 % of equal models different with two groups. For
    models with the same number of parameters that do not contain each other.

    Args:
        a: (points,) log likelihood of each point under model A, at its best parameters.
        b: (points,) the same under model B.
        groups: (points,) group of each point.

    Returns:
        Log ratio, z and p; p is NaN with fewer than 3 groups.

    Raises:
        ValueError: If lengths differ, a value is not finite or the models do not differ anywhere.

    Example:
        >>> import torch
        >>> vuong_test(torch.tensor([1.0, 2.0, 3.0]), torch.zeros(3))   # z = 6 / sqrt(3)
        VuongTest(log_ratio=6.0, z=3.464..., p=0.074...)
    """
    if a.shape != b.shape or a.ndim != 1 or len(a) < 2:
        raise ValueError(
            f"log likelihoods of shapes {tuple(a.shape)} and {tuple(b.shape)}: "
            "need the same (points,) with at least 2"
        )
    m = a.double() - b.double()
    if not bool(m.isfinite().all()):
        raise ValueError("a log likelihood is not finite; leave that point out of both models")
    clusters = clusters_of(groups, len(m))
    count = len(clusters.names)
    spread = clusters.sums(m - m.mean()).square().sum().sqrt()
    if not spread > 0:
        raise ValueError("the two models differ by the same amount everywhere; nothing to compare")
    z = float(m.sum() / spread) * math.sqrt(1 - 1 / count)
    p = 2 * float(special.stdtr(count - 1, -abs(z))) if count >= LEAST else math.nan
    return VuongTest(float(m.sum()), z, p)
