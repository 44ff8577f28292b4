"""Which of two laws describes the values better."""

import math
from dataclasses import dataclass
from typing import Protocol

from torch import Tensor

from metrics.functional.checks import check_tensor
from metrics.functional.vuong import vuong_test


class Fit(Protocol):
    """Any fitted law with a density."""

    def log_density(self, x: Tensor) -> Tensor:
        """Log density of each value."""
        ...


@dataclass(frozen=True)
class FitComparison:
    """Likelihood ratio of two fits."""

    ratio: float  # sum of log density differences; positive: the first law is better
    normalised: float  # standard normal when neither is better
    p: float  # large: the values do not distinguish the laws
    n: int


def compare_fits(x: Tensor, first: Fit, second: Fit, nested: bool = False) -> FitComparison:
    """Log likelihood ratio of two laws, R = sum_i (l1_i - l2_i).

        not nested:  z = R / (sqrt(n) sd(l1 - l2)),  two-sided p of `vuong_test`    (Vuong 1989)
        nested:      z = -sqrt(2 |R|),  p = P(chi2_1 > 2 |R|) / 2    (Self and Liang 1987)

    Reading it: the sign shows which law is better, p whether the sign is significant. Compare on
    values that both laws describe: the tail above x_min for a power law. A lognormal tail contains
    the power law as its limit (mu to minus infinity), so R cannot favour the power law: the test is
    whether the lognormal is better, and a large p says that the two are not distinguishable.

    Args:
        x: Values, (n,).
        first: A fit such as `fit_power_law(sigma)`.
        second: Another such as `fit_lognormal_tail(sigma, x_min)`.
        nested: Whether the first law is a limit of the second.

    Example:
        >>> import torch
        >>> from metrics.functional.fit_lognormal import fit_lognormal
        >>> from metrics.functional.fit_power_law import fit_power_law
        >>> x = torch.exp(torch.special.ndtri((torch.arange(500).double() + 0.5) / 500))
        >>> result = compare_fits(x, fit_power_law(x, x_min=float(x.min())), fit_lognormal(x))
        >>> result.ratio < 0, result.p < 1e-6
        (True, True)
    """
    values = check_tensor("x", x).flatten()
    for name, fit in (("first", first), ("second", second)):
        if not callable(getattr(fit, "log_density", None)):
            raise TypeError(f"{name} is a {type(fit).__name__}; pass a fit, as of fit_lognormal")
    if len(values) < 2:
        raise ValueError(f"{len(values)} values: a comparison needs at least 2")
    densities = first.log_density(values), second.log_density(values)
    outside = int((~(densities[0] - densities[1]).isfinite()).sum())
    if outside:
        raise ValueError(
            f"{outside} of {len(values)} values are outside a law's range: pass values that both "
            "laws describe, such as x[x >= fit.x_min]"
        )
    if nested:
        # above 0 only if the search ended before the limit
        ratio = min(float((densities[0] - densities[1]).sum()), 0.0)
        p = math.erfc(math.sqrt(-ratio)) / 2 if ratio < 0 else 1.0
        return FitComparison(ratio, -math.sqrt(-2 * ratio), p, len(values))
    test = vuong_test(*densities)
    return FitComparison(test.log_ratio, test.z, test.p, len(values))
