"""How many labelled samples a target loss needs, according to the fitted law."""

import math

import torch

from metrics.functional.checks import check_number, check_whole
from metrics.functional.estimate import Estimate, check_estimate


def required_samples(
    target_loss: float,
    intercept: Estimate | float,
    dimension: Estimate | float,
    sharpness: Estimate | float | None = None,
    scatter: float = 0.0,
    draws: int = 10_000,
    seed: int = 0,
) -> Estimate:
    """log10 of the number N of training samples, from the scaling law solved for N.

        N >= (K_F e^a / L*)^d        (Konz & Mazurowski 2024, Eq. 2 and Discussion)

    Reading it: the exponent d is 10 to 30, so ten per cent in K_F is a factor of 3 to 17 in N.
    Read the interval before the value; it is unknown if an input has none. The law is an upper
    bound on the loss, and real losses fall faster with N than N^(-1/d), so N is pessimistic.

    Args:
        target_loss: L*, the test loss wanted.
        intercept: A of the fit (`ScalingLawFit.intercept`), or b without sharpness.
        dimension: Intrinsic dimension d of the data.
        sharpness: K_F, in the unit of the fit; None for law B.
        scatter: `ScalingLawFit.deviation` to plan for one run, 0 for the average run.
        draws: Monte Carlo draws of (a, d, K_F, scatter), assumed independent: a and scatter normal,
            d and K_F log-normal, with the intervals of the estimates.
        seed: Of the draws.

    Example:
        >>> needed = required_samples(target_loss=0.5, intercept=0.0, dimension=10.0)
        >>> round(10**needed.value, 6)   # 2^10
        1024.0
    """
    a = check_estimate("intercept", intercept)
    d = check_estimate("dimension", dimension, above=0)
    k = check_estimate("sharpness", 1.0 if sharpness is None else sharpness, above=0)
    check_number("target_loss", target_loss, above=0)
    check_number("scatter", scatter, least=0)
    check_whole("draws", draws, least=100)  # the ends of a 95 % interval need that many
    level = math.log(k.value) + a.value - math.log(target_loss)  # log(K_F e^a / L*)
    value = d.value * level / math.log(10)
    if not (a.known and d.known and k.known):
        return Estimate.unknown(value)
    generator = torch.Generator().manual_seed(seed)
    z = torch.randn(4, draws, generator=generator, dtype=torch.float64)
    levels = level + z[0] * a.deviation + z[1] * k.log_deviation + z[2] * scatter
    dimensions = d.value * (z[3] * d.log_deviation).exp()
    return Estimate.of_resamples(value, dimensions * levels / math.log(10))
