"""Distance of a sample from the normal law with its own mean and deviation."""

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Normality:
    """Statistics and the share of normal samples of that size that are no closer."""

    ks: float  # Kolmogorov-Smirnov distance
    anderson: float  # Anderson-Darling A^2
    ks_p: float | None  # parametric bootstrap; None when it was not asked for
    anderson_p: float | None


def _distances(ordered: Tensor) -> tuple[float, float]:
    """Kolmogorov-Smirnov and Anderson-Darling distance of sorted values."""
    n = len(ordered)
    rank = torch.arange(1, n + 1, dtype=torch.float64, device=ordered.device)
    centred = ordered - ordered.mean()
    # Each with the deviation of its literature: maximum likelihood, and Stephens' unbiased one.
    F = torch.special.ndtr(centred / ordered.std(correction=0))
    ks = torch.maximum(rank / n - F, F - (rank - 1) / n).max()
    z = centred / ordered.std()
    tails = torch.special.log_ndtr(z) + torch.special.log_ndtr(-z.flip(0))
    return float(ks), float(-n - ((2 * rank - 1) * tails).sum() / n)


def normality(values: Tensor, bootstrap: int = 200, seed: int = 0) -> Normality:
    """Kolmogorov-Smirnov and Anderson-Darling with parameters from the sample itself.

        D   = max_i |F_n(x_i) - Phi((x_i - m) / s)|
        A^2 = -n - 1/n sum_i (2i - 1) (log Phi(z_i) + log(1 - Phi(z_{n+1-i})))

    Fitting the parameters makes the tabulated p-values far too large (Lilliefors 1967), so p comes
    from normal samples fitted in the same way; neither statistic depends on the true parameters.

    Reading it: a small p says that the values are not normal. With 10^4 values tiny departures are
    enough, so read D (a share of the values) for how far, and p for whether.

    Args:
        values: Not all equal, (n,), n at least 3.
        bootstrap: Number of normal samples; 0 for no p-values.
        seed: Of the samples.

    Returns:
        Both statistics and their p-values.

    Raises:
        ValueError: If there are too few values or they do not vary.

    Example:
        >>> from metrics.functional.probability_plot import order_medians
        >>> ideal = normality(torch.special.ndtri(order_medians(100)))
        >>> round(ideal.ks, 3), ideal.ks_p > 0.99
        (0.009, True)
    """
    if len(values) < 3 or not values.isfinite().all() or values.min() == values.max():
        raise ValueError(
            f"{len(values)} values cannot be tested for normality: at least 3 finite ones that "
            "differ are needed"
        )
    ordered = values.double().sort().values
    ks, anderson = _distances(ordered)
    if bootstrap == 0:
        return Normality(ks, anderson, None, None)
    generator = torch.Generator().manual_seed(seed)
    beyond_ks = beyond_anderson = 0
    for _ in range(bootstrap):
        # Normalised sums of exponentials are ordered uniforms: no sort.
        gaps = torch.empty(len(ordered) + 1, dtype=torch.float64)
        times = gaps.exponential_(generator=generator).cumsum(0)
        sample = _distances(torch.special.ndtri(times[:-1] / times[-1]))
        beyond_ks += sample[0] >= ks
        beyond_anderson += sample[1] >= anderson
    share = 1 / (bootstrap + 1)
    return Normality(ks, anderson, (1 + beyond_ks) * share, (1 + beyond_anderson) * share)
