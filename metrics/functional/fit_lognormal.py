"""Fit a lognormal law to singular values."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from metrics.functional.checks import check_tensor, check_whole
from metrics.functional.normality import Normality, normality
from metrics.functional.probability_plot import lognormal_r_squared


def check_positive(sigma: Tensor, least: int) -> Tensor:
    """Check singular values and return them as one float64 vector."""
    values = check_tensor("sigma", sigma).detach().flatten().double()
    if len(values) < least:
        raise ValueError(f"{len(values)} values, but a fit needs at least {least}")
    bad = int((~((values > 0) & values.isfinite())).sum())
    if bad:
        raise ValueError(
            f"{bad} of {len(values)} values are not positive and finite: drop them first"
        )
    if values.min() == values.max():
        raise ValueError(
            f"all {len(values)} values are {float(values[0]):g}: there is no law to fit"
        )
    return values


@dataclass(frozen=True)
class LognormalFit:
    """log sigma ~ N(mu, s^2), conditioned on sigma >= x_min if there is one."""

    mu: float
    s: float
    n: int
    x_min: float = 0.0  # if above 0, conditioned on sigma >= x_min
    r_squared: float | None = None  # probability plot of log sigma against normal quantiles
    r_squared_linear: float | None = None  # of sigma against quantiles of the fitted lognormal
    normality: Normality | None = None

    def log_density(self, x: Tensor) -> Tensor:
        """Log density of each value, (n,); -inf below x_min."""
        logs = x.double().log()
        z = (logs - self.mu) / self.s
        density = -0.5 * z**2 - math.log(self.s * math.sqrt(2 * math.pi)) - logs
        if self.x_min > 0:
            edge = torch.tensor((math.log(self.x_min) - self.mu) / self.s, dtype=torch.float64)
            density = density - torch.special.log_ndtr(-edge).to(density.device)
        return torch.where(x >= self.x_min, density, -torch.inf)


def fit_lognormal(sigma: Tensor, bootstrap: int = 200, seed: int = 0) -> LognormalFit:
    """Fit a two-parameter lognormal law by maximum likelihood.

        mu = mean(log sigma),    s^2 = mean((log sigma - mu)^2)

    This is `scipy.stats.lognorm.fit(sigma, floc=0)`; a free location would be another law.

    Reading it: the paper calls values lognormal if R^2 of their logarithms is near 1; the
    Kolmogorov-Smirnov distance and its p-value are stricter. A mode cut off at a trough is biased:
    its s is too small.

    `sigma` (n,) are at least 3 positive values, such as one mode of a spectrum; `bootstrap` samples
    give the p-values, 0 none.

    Example:
        >>> fit = fit_lognormal(torch.tensor([1.0, 10.0, 100.0]).sqrt(), bootstrap=0)
        >>> round(fit.mu, 4), round(fit.s, 4)
        (1.1513, 0.94)
    """
    check_whole("bootstrap", bootstrap, least=0)
    values = check_positive(sigma, least=3)
    logs = values.log()
    r_squared, r_squared_linear = lognormal_r_squared(values)
    return LognormalFit(
        mu=float(logs.mean()),
        s=float(logs.std(correction=0)),
        n=len(values),
        r_squared=r_squared,
        r_squared_linear=r_squared_linear,
        normality=normality(logs, bootstrap, seed),
    )
