"""How straight a probability plot is."""

import torch
from torch import Tensor


def order_medians(n: int) -> Tensor:
    """Medians of the order statistics of n uniform variables (Filliben 1975), (n,).

    Example:
        >>> order_medians(3)
        tensor([0.2063, 0.5000, 0.7937], dtype=torch.float64)
    """
    medians = (torch.arange(1, n + 1, dtype=torch.float64) - 0.3175) / (n + 0.365)
    medians[-1] = 0.5 ** (1 / n)
    medians[0] = 1 - medians[-1]
    return medians


def _r_squared(a: Tensor, b: Tensor) -> float:
    a, b = a - a.mean(), b - b.mean()
    return float((a @ b) ** 2 / ((a @ a) * (b @ b)))


def lognormal_r_squared(sigma: Tensor) -> tuple[float, float]:
    """R^2 of the log and the linear form of a "lognormal probability plot" of positive values.

        log:    log sigma against normal quantiles
        linear: sigma against quantiles of the fitted lognormal

    Reading it: 1 is a perfect fit. It is weak evidence: a truncated mode still gives .98, and
    the many values in the middle hide bad tails. The few largest values dominate the linear form.

    Example:
        >>> z = torch.special.ndtri(order_medians(99))
        >>> lognormal_r_squared(torch.exp(2 + 0.1 * z))[0]
        1.0...
    """
    ordered = sigma.double().sort().values
    logs = ordered.log()
    normal = torch.special.ndtri(order_medians(len(ordered))).to(ordered.device)
    shape = logs.std(correction=0)
    # R^2 does not depend on the scale; a largest value of 1 keeps squares within float64
    linear = _r_squared((logs - logs[-1]).exp(), (shape * (normal - normal[-1])).exp())
    return _r_squared(logs, normal), linear
