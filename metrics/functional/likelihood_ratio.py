"""Whether one scaling law explains the measured losses better than another."""

import math
from dataclasses import dataclass

from metrics.functional.checks import check_type
from metrics.functional.clusters import Labels, clusters_of
from metrics.functional.estimate import Estimate
from metrics.functional.scaling_law import ScalingLawFit
from metrics.functional.variance_ratio import variance_ratio


@dataclass(frozen=True)
class LikelihoodRatio:
    """Law A against law B on the records that both can use; positive numbers favour A."""

    unit: float  # log R with the variance set to 1, as published
    estimated: Estimate  # log R with each law's own variance
    t: float  # of the test that both laws have the same scatter, over groups
    p: float  # two-sided; NaN if there are fewer than 4 groups
    points: int
    clusters: int
    dropped: int

    @property
    def aic_difference(self) -> float:
        """AIC of B minus AIC of A: 2 log R, for both laws have the same number of parameters."""
        return 2 * self.estimated.value

    def scalars(self) -> dict[str, float]:
        """Loggable numbers."""
        return {
            "log_r": self.unit,
            "log_r_estimated": self.estimated.value,
            "log_r_estimated_low": self.estimated.low,
            "log_r_estimated_high": self.estimated.high,
            "aic_difference": self.aic_difference,
            "log_r_t": self.t,
            "log_r_p": self.p,
            "points": float(self.points),
            "clusters": float(self.clusters),
            "dropped": float(self.dropped),
        }


def likelihood_ratio(
    a: ScalingLawFit, b: ScalingLawFit, groups: Labels | None = None, confidence: float = 0.95
) -> LikelihoodRatio:
    """Likelihood ratio of two scaling laws fitted to the same records.

        unit:       log R = (RSS_B - RSS_A) / 2        (Konz & Mazurowski 2024, Eq. 26)
        estimated:  log R = (n / 2) log(RSS_B / RSS_A)

    Both laws have one level and one scatter, so A is better exactly if its residuals vary less:
    interval and p are those of the ratio of the two variances (`variance_ratio`), exact for few
    data sets.

    Reading it: log R > 0 favours A. The published form fixes the variance at 1, so its size depends
    on the scatter of the losses, not on the evidence, and it has no interval. Both forms grow with
    the number of records even if these are not independent, so judge by the interval over data sets
    (`groups`) and by p. Differences of AIC and of BIC are both 2 log R here.

    Args:
        a: Fit of law A (with sharpness, in the paper).
        b: Fit of law B (without).
        groups: (records,) data set of each record: records of one are not independent. With fewer
            than 4 there is no interval and no p.
        confidence: Of the interval.

    Example:
        >>> import torch
        >>> from metrics.functional.scaling_law import fit_scaling_law
        >>> loss, k = torch.tensor([1.0, 2.0, 8.0]), torch.tensor([1.0, 2.0, 4.0])
        >>> n = d = torch.ones(3)
        >>> a, b = fit_scaling_law(loss, n, d, k), fit_scaling_law(loss, n, d)
        >>> log_r = likelihood_ratio(a, b)   # RSS 2/3 and 14/3, in units of (log 2)^2
        >>> round(log_r.unit / math.log(2) ** 2, 6)
        2.0
        >>> round(log_r.estimated.value / math.log(7), 6), log_r.p
        (1.5, nan)
    """
    for name, fit in (("a", a), ("b", b)):
        check_type(name, fit, ScalingLawFit)
    if a.offset.shape != b.offset.shape:
        raise ValueError(
            f"law A was fitted to {len(a.offset)} records and law B to {len(b.offset)}; "
            "fit both to the same records"
        )
    common = a.used & b.used
    points = int(common.sum())
    if points < 2:
        raise ValueError(f"{points} records are usable in both laws, a comparison needs 2")
    clusters = clusters_of(groups, len(common)).subset(common)
    residual_a, residual_b = (fit.offset[common] - fit.offset[common].mean() for fit in (a, b))
    rss_a, rss_b = float(residual_a.square().sum()), float(residual_b.square().sum())
    if not (rss_a > 0 and rss_b > 0):
        raise ValueError("a law fits every record exactly; a likelihood ratio needs residuals")
    found = variance_ratio(residual_a, residual_b, clusters, confidence)
    ratio, half = found.ratio, points / 2
    value, low, high = (half * math.log(end) for end in (ratio.value, ratio.low, ratio.high))
    return LikelihoodRatio(
        unit=(rss_b - rss_a) / 2,
        estimated=Estimate(value, low, high, confidence),
        t=found.t,
        p=found.p,
        points=points,
        clusters=len(clusters.names),
        dropped=len(common) - points,
    )
