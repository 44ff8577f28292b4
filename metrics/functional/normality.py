"""Distance of a sample from the normal law with its own mean and deviation."""

from dataclasses import dataclass

import torch
from torch import Tensor

BLOCK = 2**20  # values drawn at a time: 8 MB


@dataclass(frozen=True)
class Normality:
    """Statistics, and the share of normal samples of that size with at least as large ones."""

    ks: float  # Kolmogorov-Smirnov distance
    anderson: float  # Anderson-Darling A^2
    ks_p: float | None  # parametric bootstrap; None without a bootstrap
    anderson_p: float | None


def _distances(ordered: Tensor) -> tuple[Tensor, Tensor]:
    """Kolmogorov-Smirnov and Anderson-Darling distance of sorted samples, (..., n) -> (...)."""
    n = ordered.shape[-1]
    rank = torch.arange(1, n + 1, dtype=torch.float64, device=ordered.device)
    centred = ordered - ordered.mean(-1, keepdim=True)
    # As in the literature: Kolmogorov-Smirnov with the maximum-likelihood deviation,
    # Anderson-Darling (Stephens) with the unbiased one.
    F = torch.special.ndtr(centred / ordered.std(-1, correction=0, keepdim=True))
    ks = torch.maximum(rank / n - F, F - (rank - 1) / n).amax(-1)
    z = centred / ordered.std(-1, keepdim=True)
    tails = torch.special.log_ndtr(z) + torch.special.log_ndtr(-z.flip(-1))
    return ks, -n - ((2 * rank - 1) * tails).mean(-1)


def _ordered_normals(samples: int, n: int, generator: torch.Generator) -> Tensor:
    """Sorted normal samples, (samples, n), without a sort.

    Normalised partial sums of exponentials are ordered uniforms.
    """
    gaps = torch.empty(samples, n + 1, dtype=torch.float64).exponential_(generator=generator)
    times = gaps.cumsum(1)
    return torch.special.ndtri(times[:, :-1] / times[:, -1:])


def normality(values: Tensor, bootstrap: int = 200, seed: int = 0) -> Normality:
    """Kolmogorov-Smirnov and Anderson-Darling with parameters from the sample itself.

        D   = max_i |F_n(x_i) - Phi((x_i - m) / s)|
        A^2 = -n - 1/n sum_i (2i - 1) (log Phi(z_i) + log(1 - Phi(z_{n+1-i})))

    Fitting the parameters makes the tabulated p-values far too large (Lilliefors 1967), so p comes
    from normal samples fitted in the same way; neither statistic depends on the true parameters.

    Reading it: a small p says that the values are not normal. With 10^4 values tiny departures give
    a small p, so read D (a share of the values) for the size of the departure.

    `values` (n,) are at least 3; `bootstrap` is the number of normal samples, 0 for no p-values.

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
        return Normality(float(ks), float(anderson), None, None)
    generator = torch.Generator().manual_seed(seed)
    beyond = [0, 0]
    block = max(1, BLOCK // len(ordered))
    for start in range(0, bootstrap, block):
        samples = _ordered_normals(min(block, bootstrap - start), len(ordered), generator)
        for k, (drawn, found) in enumerate(zip(_distances(samples), (ks, anderson), strict=True)):
            beyond[k] += int((drawn >= float(found)).sum())
    ks_p, anderson_p = ((1 + count) / (bootstrap + 1) for count in beyond)
    return Normality(float(ks), float(anderson), ks_p, anderson_p)
