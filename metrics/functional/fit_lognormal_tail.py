"""Fit a lognormal law to the values above a threshold."""

import math

import torch
from torch import Tensor

from metrics.functional.checks import check_number, check_tensor
from metrics.functional.fit_lognormal import LognormalFit, check_positive
from metrics.functional.grad_enabled import grad_enabled

FARTHEST = 1000.0  # mu at least: in deviations of log sigma below their mean
STEPS = 200  # of the quasi-Newton method, at most


def fit_lognormal_tail(sigma: Tensor, x_min: float) -> LognormalFit:
    """Maximum likelihood of a lognormal law conditioned on sigma >= x_min.

        max  sum_i log phi((l_i - mu) / s) - log s - log Phi((mu - log x_min) / s),   l = log sigma

    Values below x_min are not used: a power law has no density there, so the two laws are compared
    above x_min alone.

    Reading it: on a true power law mu tends to minus infinity, where the two laws meet; then the
    likelihood ratio tends to 0 and decides nothing. The search ends 1000 deviations of log sigma
    below their mean, where the laws differ by less than 0.001 a value.

    Raises:
        ValueError: If fewer than 3 different positive values reach x_min.

    Example:
        >>> z = torch.special.ndtri((torch.arange(1, 4001).double() - 0.5) / 4000)
        >>> fit = fit_lognormal_tail(torch.exp(1 + 0.5 * z), x_min=math.exp(0.8))
        >>> round(fit.mu, 2), round(fit.s, 2)
        (1.0, 0.5)
    """
    x_min = check_number("x_min", x_min, above=0)
    with grad_enabled(check_tensor("sigma", sigma)) as (sigma,):
        tail = check_positive(sigma.detach()[sigma >= x_min], least=3)
        logs = tail.log()
        centre, scale = logs.mean(), logs.std(correction=0)
        edge = (math.log(x_min) - centre) / scale
        free = torch.zeros(2, dtype=torch.float64, device=logs.device, requires_grad=True)
        optimiser = torch.optim.LBFGS([free], max_iter=STEPS, line_search_fn="strong_wolfe")

        def negative_log_likelihood() -> Tensor:
            # Standardised, the data enter through two moments only: the first 0, the second 1.
            mu, log_s = free[0].clamp(min=-FARTHEST), free[1]
            spread = (1 + mu**2) / (2 * torch.exp(2 * log_s))
            value = spread + log_s + torch.special.log_ndtr((mu - edge) / log_s.exp())
            (free.grad,) = torch.autograd.grad(value, free)
            return value.detach()

        optimiser.step(negative_log_likelihood)
    mu, log_s = free.detach().tolist()
    mu = max(mu, -FARTHEST)
    return LognormalFit(
        mu=float(centre + scale * mu), s=float(scale) * math.exp(log_s), n=len(tail), x_min=x_min
    )
