"""Pearson correlation, pooled and within domains."""

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from metrics.functional.clusters import LEAST_CLUSTERS, Clusters, Labels, clusters_of
from metrics.functional.effective_points import effective_points
from metrics.functional.estimate import Estimate, normal_quantile


@dataclass(frozen=True)
class CorrelationResult:
    """Pearson's r in four forms, each with its interval over clusters."""

    pooled: Estimate  # over all points
    averaged: Estimate | None  # over cluster means; None if fewer than 3, or if they do not vary
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
    confidence: float = 0.95,
) -> CorrelationResult:
    """Correlate two measured quantities over clustered points.

        r = S_xy / sqrt(S_xx S_yy),  S_uv = sum (u - mean u)(v - mean v)
        within a domain: sums over its points about its own means
        partial: those sums added over the domains, which is r after regressing both on the domain
        interval: tanh(atanh r -+ 1.96 / sqrt(n_eff - 3)), n_eff less by 1 for every further domain

    Fisher's z with n_eff = `effective_points`: data sets, not points, are the sample.

    Reading it: a pooled r far above the partial one is a difference between domains, not a law
    that holds in them. `averaged` has one point a data set. Intervals are over data sets; with
    eleven data sets they are wide.

    `groups` has the data set of each point; without it each point is its own. `domains` has the
    domain of each point; a group lies in one domain. With fewer than 4 groups, in all or in a
    domain, r has no interval.

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
    if _constant(x) or _constant(y):
        raise ValueError("x or y is constant: their correlation is not defined")
    x, y = x.double().cpu(), y.double().cpu()
    clusters = clusters_of(groups, len(x))
    averaged = None
    if groups is not None and len(clusters.names) >= 3:
        means = clusters.means(x), clusters.means(y)
        if not any(map(_constant, means)):
            averaged = _estimate(*means, clusters_of(None, len(clusters.names)), confidence)
    by_domain = clusters_of([0] * len(x) if domains is None else domains, len(x))
    _check_domains(clusters, by_domain)
    within: dict[Hashable, Estimate] = {}
    for code, name in enumerate(by_domain.names if domains is not None else []):
        inside = by_domain.code == code
        if not (_constant(x[inside]) or _constant(y[inside])):
            within[name] = _estimate(x[inside], y[inside], clusters.subset(inside), confidence)
    return CorrelationResult(
        pooled=_estimate(x, y, clusters, confidence),
        averaged=averaged,
        within=within,
        undefined=tuple(n for n in by_domain.names if domains is not None and n not in within),
        partial=_partial(x, y, clusters, by_domain, confidence) if within else None,
        points=len(x),
        clusters=len(clusters.names),
    )


def _partial(
    x: Tensor, y: Tensor, clusters: Clusters, by_domain: Clusters, confidence: float
) -> Estimate:
    """Partial r, about the means of the domains; each further one costs a degree of freedom."""
    x, y = (values - by_domain.means(values)[by_domain.code] for values in (x, y))
    return _estimate(x, y, clusters, confidence, lost=len(by_domain.names) - 1)


def _constant(values: Tensor) -> bool:
    return bool(values.max() - values.min() <= 1e-12 * values.abs().max())


def _estimate(
    x: Tensor, y: Tensor, clusters: Clusters, confidence: float, lost: int = 0
) -> Estimate:
    x, y = x - x.mean(), y - y.mean()
    r = float((x @ y) / ((x @ x) * (y @ y)).sqrt())
    r = min(max(r, -1.0), 1.0)
    if len(clusters.names) - lost < LEAST_CLUSTERS or abs(r) > 1 - 1e-12:
        return Estimate.unknown(r)
    n = effective_points(x, y, clusters) - lost
    reach = normal_quantile(confidence) / math.sqrt(n - 3)
    low, high = (math.tanh(math.atanh(r) + side * reach) for side in (-1, 1))
    return Estimate(r, low, high, confidence)


def _check_domains(clusters: Clusters, by_domain: Clusters) -> None:
    domain = torch.zeros(len(clusters.names), dtype=torch.long)
    domain[clusters.code] = by_domain.code
    split = (domain[clusters.code] != by_domain.code).nonzero()
    if len(split):
        name = clusters.names[int(clusters.code[split[0, 0]])]
        raise ValueError(f"group {name!r} lies in two domains; give each data set one domain")
