"""Two lognormal modes at once, without a cut between them."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from metrics.functional.checks import check_logs
from metrics.functional.spectrum_shape import spectrum_shape

ITERATIONS = 2000  # at most
TOLERANCE = 1e-10  # stop when the mean log likelihood grows by less


@dataclass(frozen=True)
class MixtureFit:
    """log sigma ~ sum_k weight_k N(mean_k, deviation_k^2), the lower mean first."""

    weights: Tensor  # (2,)
    means: Tensor  # (2,)
    deviations: Tensor  # (2,)
    log_likelihood: float  # of log sigma, summed
    n: int
    converged: bool

    @property
    def bic(self) -> float:
        """Bayesian information criterion, five parameters; lower is better."""
        return 5 * math.log(self.n) - 2 * self.log_likelihood


def fit_mixture(log_sigma: Tensor) -> MixtureFit:
    """Mixture of two normal laws for at least 4 logarithms (n,), by expectation maximisation.

    Starts from the split at the trough, or at the mean if there is no trough.

    Reading it: where modes overlap, cutting at the trough biases the moments of both; the mixture
    does not. Compare `bic` with that of one normal law before claiming two modes.

    Example:
        >>> z = torch.special.ndtri((torch.arange(500).double() + 0.5) / 500)
        >>> fit_mixture(torch.cat([z - 4, 0.5 * z + 4])).means.round(decimals=2)
        tensor([-4.,  4.], dtype=torch.float64)
    """
    values = check_logs("log_sigma", log_sigma, least=4)
    if values.max() - values.min() <= 1e-9 * max(1.0, float(values.abs().max())):
        raise ValueError(
            f"all {len(values)} values of log_sigma are {float(values[0]):g} to rounding: there "
            "is no mixture to fit"
        )
    trough = spectrum_shape(values).trough
    cut = values.mean() if trough is None else trough
    share = torch.stack([values < cut, values >= cut]).double()  # (2, n)
    floor = 1e-6 * values.var(correction=0)  # a mode on a single value has infinite likelihood
    previous = -torch.inf
    for iteration in range(1, ITERATIONS + 1):  # noqa: B007
        mass = share.sum(1)
        means = share @ values / mass
        squares = (share * (values - means[:, None]) ** 2).sum(1) / mass
        deviations = squares.clamp_min(floor).sqrt()
        z = (values - means[:, None]) / deviations[:, None]
        joint = -0.5 * z**2 + (mass / len(values) / deviations).log()[:, None]
        total = joint.logsumexp(0)
        likelihood = float(total.mean()) - 0.5 * math.log(2 * math.pi)
        if likelihood - previous < TOLERANCE:
            break
        previous, share = likelihood, (joint - total).exp()
    order = means.argsort()
    return MixtureFit(
        weights=(mass / len(values))[order],
        means=means[order],
        deviations=deviations[order],
        log_likelihood=likelihood * len(values),
        n=len(values),
        converged=iteration < ITERATIONS,
    )
