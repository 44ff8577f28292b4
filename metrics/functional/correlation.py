"""Pearson correlation that tells a trend within domains from a difference between them."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from metrics.functional.cluster_bootstrap import Clusters, Labels, bootstrap_weights, clusters_of
from metrics.functional.estimate import Estimate

LEAST = 4  # groups for an interval


@dataclass(frozen=True)
class CorrelationResult:
    """Pearson's r, read in four ways, each with its interval over clusters."""

    pooled: Estimate  # over all points
    averaged: (
        Estimate | None
    )  # over the means of the clusters; None with fewer than 3 or none varying
    within: Mapping[Hashable, Estimate]  # inside each domain
    undefined: tuple[Hashable, ...]  # domains where x or y does not vary: no r within them
    partial: Estimate | None  # adjusted for the domain; None where no domain has an r
    points: int
    clusters: int

    def scalars(self) -> dict[str, float]:
        """Loggable numbers, `r_<reading>` with its ends."""
        readings: dict[str, Estimate | None] = {"pooled": self.pooled, "averaged": self.averaged}
        readings |= {f"within_{name}": r for name, r in self.within.items()}
        readings["partial"] = self.partial
        numbers: dict[str, float] = {}
        for name, r in readings.items():
            if r is not None:
                numbers |= {f"r_{name}": r.value, f"r_{name}_low": r.low, f"r_{name}_high": r.high}
        return numbers


def correlation(
    x: Tensor,
    y: Tensor,
    groups: Labels | None = None,
    domains: Labels | None = None,
    resamples: int = 1000,
    seed: int = 0,
) -> CorrelationResult:
    """Correlate two measured quantities over clustered points.

        r = S_xy / sqrt(S_xx S_yy),  S_uv = sum (u - mean u)(v - mean v)
        within a domain: sums over its points about its own means
        partial: those sums added over the domains, which is r after regressing both on the domain

    Reading it: a pooled r far above the partial one is a difference between domains, not a law
    that holds in them (the published .37 to .77 of attack penalty and label sharpness is pooled;
    within natural images every r is negative). `averaged` has one point a data set. Intervals
    resample whole data sets, so they are wide with eleven of them, and that is the truth.

    Args:
        x: (points,) one quantity.
        y: (points,) the other.
        groups: (points,) data set of each point; without it each point is its own.
        domains: (points,) domain of each point; a group lies in one domain.
        resamples: Bootstrap resamples, stratified by domain.
        seed: Of the bootstrap.

    Returns:
        All readings. With fewer than 4 groups, in all or in a domain, the interval is -1 to 1: r
        of three groups is anything, and resamples repeat them.

    Raises:
        ValueError: If lengths differ, fewer than 3 points are given, a value is not finite, x or y
            is constant, there is one group only or a group lies in two domains.

    Example:
        >>> x = torch.tensor([0.0, 1.0, 2.0, 10.0, 11.0, 12.0])
        >>> y = torch.tensor([2.0, 1.0, 0.0, 12.0, 11.0, 10.0])
        >>> r = correlation(x, y, domains=["natural"] * 3 + ["medical"] * 3)
        >>> round(r.pooled.value, 3), r.partial.value, r.within["medical"].value
        (0.948, -1.0, -1.0)
    """
    if x.shape != y.shape or x.ndim != 1 or len(x) < 3:
        raise ValueError(
            f"x of shape {tuple(x.shape)} and y of {tuple(y.shape)}: need (points,), at least 3"
        )
    if not bool((x.isfinite() & y.isfinite()).all()):
        raise ValueError("x or y has NaN or infinite values; leave those points out of both")
    x, y = x.double(), y.double()
    clusters = clusters_of(groups, len(x))
    by_domain = clusters_of([0] * len(x) if domains is None else domains, len(x))
    strata = _domain_of(clusters, by_domain)
    weights = bootstrap_weights(strata, resamples, seed).to(x.device)
    weights = torch.cat([torch.ones_like(weights[:1]), weights])  # row 0 is the data itself

    each = weights[:, clusters.code.to(x.device)]  # (1 + resamples, points)
    if _constant(x) or _constant(y):
        raise ValueError("x or y is constant: their correlation is not defined")
    pooled = _estimate(_moments(x, y, each), len(strata))
    averaged = None
    if groups is not None and len(clusters.names) >= 3:
        size = clusters.sums(torch.ones_like(x))
        mean_x, mean_y = clusters.sums(x) / size, clusters.sums(y) / size
        if not (_constant(mean_x) or _constant(mean_y)):
            averaged = _estimate(_moments(mean_x, mean_y, weights), len(strata))
    within: dict[Hashable, Estimate] = {}
    total = torch.zeros(3, len(weights), dtype=x.dtype, device=x.device)
    for code, name in enumerate(by_domain.names if domains is not None else []):
        inside = (by_domain.code == code).to(x.device)
        moments = _moments(x[inside], y[inside], each[:, inside])
        total = total + moments
        if not (_constant(x[inside]) or _constant(y[inside])):
            within[name] = _estimate(moments, int((strata == code).sum()))
    return CorrelationResult(
        pooled=pooled,
        averaged=averaged,
        within=within,
        undefined=tuple(n for n in by_domain.names if domains is not None and n not in within),
        partial=_estimate(total, len(strata)) if within else None,
        points=len(x),
        clusters=len(clusters.names),
    )


def _moments(x: Tensor, y: Tensor, weights: Tensor) -> Tensor:
    """S_xx, S_yy, S_xy of every resample: (3, resamples)."""
    x, y = x - x.mean(), y - y.mean()  # shifted first: sums of squares lose digits to the mean
    count, sum_x, sum_y = weights.sum(1), weights @ x, weights @ y
    return torch.stack(
        [
            weights @ (x * x) - sum_x * sum_x / count,
            weights @ (y * y) - sum_y * sum_y / count,
            weights @ (x * y) - sum_x * sum_y / count,
        ]
    )


def _constant(values: Tensor) -> bool:
    return bool(values.max() - values.min() <= 1e-12 * values.abs().max())


def _estimate(moments: Tensor, clusters: int) -> Estimate:
    s_xx, s_yy, s_xy = moments
    # A resample of one cluster repeated leaves rounding where a variance should be 0.
    spread = (s_xx > 1e-12 * s_xx[0]) & (s_yy > 1e-12 * s_yy[0])
    r = (s_xy / (s_xx * s_yy).sqrt()).clamp(-1, 1).where(spread, torch.nan)
    if clusters < LEAST:
        return Estimate(float(r[0]), -1.0, 1.0)
    return Estimate.of_resamples(float(r[0]), r[1:])


def _domain_of(clusters: Clusters, by_domain: Clusters) -> Tensor:
    """Domain of each cluster: (clusters,)."""
    domain = torch.zeros(len(clusters.names), dtype=torch.long)
    domain[clusters.code] = by_domain.code
    torn = (domain[clusters.code] != by_domain.code).nonzero()
    if len(torn):
        name = clusters.names[int(clusters.code[torn[0, 0]])]
        raise ValueError(f"group {name!r} lies in two domains; give each data set one domain")
    return domain
