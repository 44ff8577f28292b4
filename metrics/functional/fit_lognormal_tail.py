"""Fit a lognormal law to the values above a threshold."""

import math
from collections.abc import Callable

from scipy import special
from torch import Tensor

from metrics.functional.checks import check_number, check_tensor
from metrics.functional.fit_lognormal import LognormalFit, check_positive

FARTHEST = 1000.0  # mu at least: in deviations of log sigma below their mean


def fit_lognormal_tail(sigma: Tensor, x_min: float) -> LognormalFit:
    """Maximum likelihood of a lognormal law conditioned on sigma >= x_min.

        max  sum_i log phi((l_i - mu) / s) - log s - log Phi((mu - log x_min) / s),   l = log sigma

    Values below x_min are not used: a power law has no density there, so the two laws are compared
    above x_min alone.

    Reading it: on a true power law mu tends to minus infinity, where the two laws meet; then the
    likelihood ratio tends to 0 and decides nothing. The search ends 1000 deviations of log sigma
    below their mean, where the laws differ by less than 0.001 a value.

    Example:
        >>> import torch
        >>> z = torch.special.ndtri((torch.arange(1, 4001).double() - 0.5) / 4000)
        >>> fit = fit_lognormal_tail(torch.exp(1 + 0.5 * z), x_min=math.exp(0.8))
        >>> round(fit.mu, 2), round(fit.s, 2)
        (1.0, 0.5)
    """
    x_min = check_number("x_min", x_min, above=0)
    sigma = check_tensor("sigma", sigma).detach()
    tail = check_positive(sigma[sigma >= x_min], least=3)
    logs = tail.log()
    centre, scale = float(logs.mean()), float(logs.std(correction=0))
    mu, s = _standardised((centre - math.log(x_min)) / scale)
    return LognormalFit(mu=centre + scale * mu, s=scale * s, n=len(tail), x_min=x_min)


def _standardised(depth: float) -> tuple[float, float]:
    """Fit mu and s to values of mean 0 and deviation 1 above -depth.

    With a = 1 / s, b = mu / s, t = b + a depth and h = phi(t) / Phi(t) the likelihood is largest
    where b = -h and a - 1 / a = -depth h, which leaves one equation in t.
    """

    def a_of(h: float) -> float:
        return 2 / (depth * h + math.hypot(depth * h, 2))

    def slope_in_t(t: float) -> float:
        return t + _hazard(t) - depth * a_of(_hazard(t))

    def slope_in_a(a: float) -> float:  # at mu = -FARTHEST
        return a * (1 + FARTHEST**2) - 1 / a - gap * _hazard(-a * gap)

    far = -2 * FARTHEST**0.5  # a root below it has a mu below -FARTHEST
    # at depth 1 the tail is as heavy as a power law's, and the best mu is -infinity
    if depth > 1 and slope_in_t(far) < 0:
        h = _hazard(_root(slope_in_t, far, depth))
        if (mu := -h / a_of(h)) > -FARTHEST:
            return mu, 1 / a_of(h)
    gap = FARTHEST - depth
    size = 1 + FARTHEST**2 - gap**2
    low = size**-0.5  # h(-T) is between T and T + 1 / T, which bounds a
    return -FARTHEST, 1 / _root(slope_in_a, low, 2**0.5 * low)


def _hazard(t: float) -> float:
    """phi(t) / Phi(t)."""
    return (2 / math.pi) ** 0.5 / float(special.erfcx(-t / 2**0.5))


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a function changes sign, by bisection: importing `scipy.optimize` takes 0.1 s."""
    is_negative = function(low) < 0
    while low < (middle := (low + high) / 2) < high:
        if (function(middle) < 0) == is_negative:
            low = middle
        else:
            high = middle
    return middle
