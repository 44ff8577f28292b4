"""Ratio of the variances of paired values, exact for few pairs (Pitman 1939, Morgan 1939)."""

import math
from dataclasses import dataclass

from scipy import special  # torch has no Student's t
from torch import Tensor

from metrics.functional.clusters import LEAST_CLUSTERS, Clusters
from metrics.functional.effective_points import effective_points
from metrics.functional.estimate import Estimate, student_quantile


@dataclass(frozen=True)
class VarianceRatio:
    """Variance of b over that of a."""

    ratio: Estimate
    t: float  # of the test that the variances are equal; positive where b varies more
    p: float  # two-sided; NaN with fewer than 4 clusters


def variance_ratio(
    a: Tensor, b: Tensor, clusters: Clusters, confidence: float = 0.95
) -> VarianceRatio:
    """Ratio of two variances from pairs (a_i, b_i), with interval and test.

        Var b = Var a  <=>  u = b - a and v = b + a are uncorrelated:
        t = r_uv sqrt((n - 2) / (1 - r_uv^2)),   n - 2 degrees of freedom
        Var b / Var a in F (K -+ sqrt(K^2 - 1)),   F = S_bb / S_aa,
        K = 1 + 2 t_q^2 (1 - r_ab^2) / (n - 2)

    exact for independent normal pairs, however few. Pairs of one cluster are not independent: n is
    then their `effective_points`.

    Reading it: the interval is of the ratio in the population of clusters. Fewer than four of them
    have no interval and no p.

    Example:
        >>> import torch
        >>> from metrics.functional.clusters import clusters_of
        >>> a, b = torch.tensor([1.0, -1.0, 2.0, -2.0]), torch.tensor([2.0, -2.0, -4.0, 4.0])
        >>> found = variance_ratio(a, b, clusters_of(None, 4))
        >>> round(found.ratio.value, 3), round(found.p, 2)
        (4.0, 0.32)
    """
    a, b = (values.double() - values.double().mean() for values in (a, b))
    s_aa, s_bb, s_ab = (float((x * y).sum()) for x, y in ((a, a), (b, b), (a, b)))
    apart = float((a - b).abs().max()) > 1e-12 * math.sqrt(s_aa + s_bb)  # not equal up to rounding
    if not (s_aa > 0 and s_bb > 0 and apart):
        raise ValueError("a or b is constant, or they differ by a constant: no ratio to test")
    F = s_bb / s_aa
    if len(clusters.names) < LEAST_CLUSTERS:
        return VarianceRatio(Estimate.unknown(F), math.nan, math.nan)
    u, v = b - a, b + a
    n = effective_points(u, v, clusters)
    r_uv = (s_bb - s_aa) / math.sqrt(float((u * u).sum()) * float((v * v).sum()) or math.inf)
    t = r_uv * math.sqrt((n - 2) / max(1 - r_uv**2, 1e-300))
    quantile = student_quantile(n - 2, confidence)
    K = 1 + 2 * quantile**2 * max(1 - s_ab**2 / (s_aa * s_bb), 0.0) / (n - 2)
    reach = math.sqrt(K * K - 1)
    ratio = Estimate(F, F * (K - reach), F * (K + reach), confidence)
    return VarianceRatio(ratio, t, 2 * float(special.stdtr(n - 2, -abs(t))))
