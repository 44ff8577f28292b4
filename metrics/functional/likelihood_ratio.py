"""Whether one scaling law explains the measured losses better than another."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from metrics.functional.cluster_bootstrap import Clusters, Labels, bootstrap_weights, clusters_of
from metrics.functional.cluster_mean import LEAST
from metrics.functional.estimate import Estimate
from metrics.functional.scaling_law import ScalingLawFit, gaussian_log_density
from metrics.functional.vuong import VuongTest, vuong_test


@dataclass(frozen=True)
class LikelihoodRatio:
    """Law A against law B on the records that both can use; positive numbers favour A."""

    unit: Estimate  # log R with the variance set to 1, as published
    estimated: Estimate  # log R with each law's own variance
    vuong: VuongTest  # of the estimated form, by group
    support: float  # share of resamples in which A wins, ties by half; NaN with fewer than 3 groups
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
            "log_r": self.unit.value,
            "log_r_low": self.unit.low,
            "log_r_high": self.unit.high,
            "log_r_estimated": self.estimated.value,
            "log_r_estimated_low": self.estimated.low,
            "log_r_estimated_high": self.estimated.high,
            "aic_difference": self.aic_difference,
            "vuong_z": self.vuong.z,
            "vuong_p": self.vuong.p,
            "support": self.support,
            "points": float(self.points),
            "clusters": float(self.clusters),
            "dropped": float(self.dropped),
        }


def likelihood_ratio(
    a: ScalingLawFit,
    b: ScalingLawFit,
    groups: Labels | None = None,
    resamples: int = 1000,
    seed: int = 0,
) -> LikelihoodRatio:
    """Likelihood ratio of two scaling laws fitted to the same records.

        unit:       log R = (RSS_B - RSS_A) / 2        (Konz & Mazurowski 2024, Eq. 26)
        estimated:  log R = (n / 2) log(RSS_B / RSS_A)

    Reading it: log R > 0 favours A. The published form fixes the variance at 1, so its size
    depends on how far losses scatter, not on how sure the choice is; the estimated form does not.
    Both grow with the number of records even if these repeat each other, so judge by the interval
    over data sets (`groups`), by `support` and by Vuong's p. Differences of AIC and of BIC are
    both 2 log R here.

    Args:
        a: Fit of law A (with sharpness, in the paper).
        b: Fit of law B (without).
        groups: (records,) data set of each record, resampled as a whole.
        resamples: Bootstrap resamples.
        seed: Of the bootstrap.

    Returns:
        Both forms with 95 % intervals, Vuong's test, and what was used. With fewer than 3 groups
        the intervals are infinite: half the resamples of two are one of them twice.

    Raises:
        ValueError: If the fits have different records, fewer than two in common, or no residual.

    Example:
        >>> from metrics.functional.scaling_law import fit_scaling_law
        >>> loss, k = torch.tensor([1.0, 2.0, 8.0]), torch.tensor([1.0, 2.0, 4.0])
        >>> n = d = torch.ones(3)
        >>> a, b = fit_scaling_law(loss, n, d, k), fit_scaling_law(loss, n, d)
        >>> log_r = likelihood_ratio(a, b)   # RSS 2/3 and 14/3, in units of (log 2)^2
        >>> round(log_r.unit.value / math.log(2) ** 2, 6)
        2.0
        >>> round(log_r.estimated.value / math.log(7), 6)
        1.5
    """
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
    weights = bootstrap_weights([0] * len(clusters.names), resamples, seed).to(common.device)
    weights = torch.cat([torch.ones_like(weights[:1]), weights])  # row 0 is the data itself

    residual_a, residual_b = (fit.offset[common] - fit.offset[common].mean() for fit in (a, b))
    rss_a, rss_b = (_rss(residual, clusters, weights) for residual in (residual_a, residual_b))
    if not (rss_a[0] > 0 and rss_b[0] > 0):
        raise ValueError("a law fits every record exactly; a likelihood ratio needs residuals")
    count = weights @ clusters.sums(torch.ones_like(residual_a))
    unit, estimated = (rss_b - rss_a) / 2, count / 2 * (rss_b / rss_a).log()
    enough = len(clusters.names) >= LEAST
    known = unit[1:][unit[1:].isfinite()]
    known = known.where(known.abs() > 1e-12 * rss_a[0], 0.0)  # equal K_F leave rounding
    support = float((known.sign() + 1).mean() / 2)
    return LikelihoodRatio(
        unit=_estimate(unit, enough),
        estimated=_estimate(estimated, enough),
        vuong=vuong_test(
            gaussian_log_density(residual_a), gaussian_log_density(residual_b), clusters.code
        ),
        support=support if enough else math.nan,
        points=points,
        clusters=len(clusters.names),
        dropped=len(common) - points,
    )


def _estimate(values: Tensor, enough: bool) -> Estimate:
    if not enough:
        return Estimate(float(values[0]), -math.inf, math.inf)
    return Estimate.of_resamples(float(values[0]), values[1:])


def _rss(residual: Tensor, clusters: Clusters, weights: Tensor) -> Tensor:
    """Residual sum of squares after refitting the intercept to each resample: (resamples,)."""
    count, first, second = (weights @ clusters.sums(residual**power) for power in range(3))
    rss = second - first.square() / count
    # One record drawn again and again leaves rounding where the sum should be 0: no ratio then.
    return rss.where(rss > 1e-12 * rss[0], math.nan)
