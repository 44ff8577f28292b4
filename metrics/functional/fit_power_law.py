"""Fit a power law to the tail of singular values."""

import math
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from metrics.functional.checks import check_number, check_whole
from metrics.functional.fit_lognormal import check_positive

LEAST_TAIL = 10  # values: a shorter tail fits any law


@dataclass(frozen=True)
class PowerLawFit:
    """p(x) = (alpha - 1) / x_min (x / x_min)^(-alpha) for x >= x_min."""

    alpha: float
    alpha_error: float  # (alpha - 1) / sqrt(tail), asymptotic
    x_min: float
    ks: float  # Kolmogorov-Smirnov distance of the tail
    n: int
    tail: int  # values at or above x_min; the law does not describe the others
    p: float | None = None  # bootstrap p of `ks`; None without a bootstrap

    def log_density(self, x: Tensor) -> Tensor:
        """Log density of each value, (n,); -inf below x_min."""
        density = (
            math.log((self.alpha - 1) / self.x_min) - self.alpha * (x.double() / self.x_min).log()
        )
        return torch.where(x >= self.x_min, density, -torch.inf)


def _tail_fit(logs: Tensor) -> tuple[float, float]:
    """Exponent and Kolmogorov-Smirnov distance of sorted log(x / x_min)."""
    n = len(logs)
    alpha = 1 + n / float(logs.sum())
    F = -torch.expm1((1 - alpha) * logs)
    rank = torch.arange(1, n + 1, dtype=torch.float64, device=logs.device)
    return alpha, float(torch.maximum(rank / n - F, F - (rank - 1) / n).max())


def fit_power_law(
    sigma: Tensor,
    x_min: float | None = None,
    candidates: int | None = 500,
    bootstrap: int = 0,
    seed: int = 0,
) -> PowerLawFit:
    """Pareto law by maximum likelihood, its threshold by least distance (Clauset et al. 2009).

        alpha = 1 + n / sum_i log(x_i / x_min),    x_min = argmin KS(tail, Pareto)

    The p-value is the share of samples from the fitted law that, fitted in the same way, are no
    closer to a power law. Their values below x_min are drawn from the data, because the law does
    not cover them.

    Reading it: a small alpha is a heavy tail. Almost anything looks like a power law on a short
    tail: read the share of values in it, `p` (below 0.1 they rule the power law out), and
    `compare_fits` with a lognormal of the same tail.

    Args:
        sigma: Positive values, (n,).
        x_min: Threshold; searched among the values by default.
        candidates: Thresholds to try, evenly spaced by rank; None for every value.
        bootstrap: Samples for the p-value, each fitted; 0 for none.
        seed: Of the bootstrap.

    Example:
        >>> u = (torch.arange(1000).double() + 0.5) / 1000
        >>> fit = fit_power_law((1 - u) ** (-1 / 1.5), x_min=1.0)
        >>> round(fit.alpha, 2), fit.tail
        (2.5, 1000)
    """
    check_whole("bootstrap", bootstrap, least=0)
    if candidates is not None:
        check_whole("candidates", candidates, least=1)
    ordered = check_positive(sigma, least=LEAST_TAIL).sort().values
    logs = ordered.log()
    if x_min is not None:
        x_min = check_number("x_min", x_min, above=0)
        tail = logs[ordered >= x_min]
        if len(tail) < LEAST_TAIL or float(tail[-1]) == math.log(x_min):
            raise ValueError(
                f"x_min={x_min:g} leaves {len(tail)} of {len(logs)} values, but a power law needs "
                f"at least {LEAST_TAIL}, not all equal to it: lower x_min"
            )
        tries = [(x_min, tail - math.log(x_min))]
    else:
        most = len(ordered) - LEAST_TAIL
        count = most + 1 if candidates is None else min(candidates, most + 1)
        ranks = torch.linspace(0, most, count, device=ordered.device).round().long()
        starts = sorted(set(torch.searchsorted(ordered, ordered[ranks]).tolist()))
        tries = [
            (float(ordered[i]), logs[i:] - logs[i]) for i in starts if ordered[i] < ordered[-1]
        ]
    fits = [(*_tail_fit(shifted), threshold, len(shifted)) for threshold, shifted in tries]
    alpha, ks, threshold, size = min(fits, key=lambda fit: fit[1])
    error = (alpha - 1) / math.sqrt(size)
    fit = PowerLawFit(alpha, error, threshold, ks, n=len(ordered), tail=size)
    if bootstrap == 0:
        return fit
    generator = torch.Generator().manual_seed(seed)
    samples = (_sample(fit, ordered, generator) for _ in range(bootstrap))
    farther = sum(fit_power_law(sample, x_min, candidates).ks >= ks for sample in samples)
    return replace(fit, p=(1 + farther) / (1 + bootstrap))


def _sample(fit: PowerLawFit, ordered: Tensor, generator: torch.Generator) -> Tensor:
    """As many values as the data: the tail drawn from the law, the rest from the data."""
    u = 1 - torch.rand(fit.tail, generator=generator, dtype=torch.float64)  # (0, 1]
    tail = fit.x_min * u ** (1 / (1 - fit.alpha))
    body = ordered[: fit.n - fit.tail].cpu()
    if len(body) == 0:
        return tail
    return torch.cat([tail, body[torch.randint(len(body), body.shape, generator=generator)]])
