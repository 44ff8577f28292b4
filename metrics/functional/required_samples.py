"""How many labelled samples a target loss needs, according to the fitted law."""

import math
from dataclasses import dataclass

import torch

from metrics.functional.checks import check_number, check_whole
from metrics.functional.estimate import Estimate, check_estimate


@dataclass(frozen=True)
class RequiredSamples:
    """Number of training samples for a target loss, in powers of ten."""

    log10_samples: Estimate  # log10 N

    @property
    def samples(self) -> float:
        """N, rounded up, at least 1; infinite above 1e300."""
        return _samples(self.log10_samples.value)

    @property
    def interval(self) -> tuple[float, float]:
        """N at the ends of the interval; NaN where it is not known."""
        return _samples(self.log10_samples.low), _samples(self.log10_samples.high)

    def scalars(self) -> dict[str, float]:
        """Loggable numbers."""
        return {f"log10_samples_{k}": v for k, v in self.log10_samples.scalars().items()}


def required_samples(
    target_loss: float,
    intercept: Estimate | float,
    dimension: Estimate | float,
    sharpness: Estimate | float | None = None,
    scatter: float = 0.0,
    draws: int = 10_000,
    seed: int = 0,
) -> RequiredSamples:
    """Solve the scaling law for N.

        N >= (K_F e^a / L*)^d        (Konz & Mazurowski 2024, Eq. 2 and Discussion)

    Reading it: the exponent d is 10 to 30, so ten per cent in K_F is a factor of 3 to 17 in N.
    Read the interval, in powers of ten, before the value. The law is an upper bound on the loss,
    and real losses fall faster with N than N^(-1/d): from N = 1000 to 9250 the published losses
    fell to 0.11 to 0.90 of their value, where d = 16 predicts 0.87 (Tables 4, 5: less than that in
    ten of twelve pairs). So N is pessimistic.

    Args:
        target_loss: L*, the test loss wanted.
        intercept: A of the fit (`ScalingLawFit.intercept`), or b without sharpness.
        dimension: Intrinsic dimension d of the data.
        sharpness: K_F, in the unit of the fit; None for law B.
        scatter: `ScalingLawFit.deviation` to plan for one run, 0 for the average run.
        draws: Monte Carlo draws of (a, d, K_F, scatter), assumed independent: a and scatter normal,
            d and K_F log-normal, with the intervals of the estimates.
        seed: Of the draws.

    Returns:
        log10 N with its 95 % interval, which is NaN if an input has no interval.

    Raises:
        ValueError: If a positive quantity is not, or `draws` is below 100.

    Example:
        >>> needed = required_samples(target_loss=0.5, intercept=0.0, dimension=10.0)   # 2^10
        >>> needed.samples, needed.interval
        (1024.0, (1024.0, 1024.0))
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
        return RequiredSamples(Estimate.unknown(value))
    generator = torch.Generator().manual_seed(seed)
    z = torch.randn(4, draws, generator=generator, dtype=torch.float64)
    levels = level + z[0] * a.deviation + z[1] * k.log_deviation + z[2] * scatter
    dimensions = d.value * (z[3] * d.log_deviation).exp()
    return RequiredSamples(Estimate.of_resamples(value, dimensions * levels / math.log(10)))


def _samples(log10: float) -> float:
    if math.isnan(log10):
        return math.nan
    if log10 > 300:
        return math.inf
    # 1e-9: 11^3 comes out of the logarithm as 1331.0000000000002, and must not become 1332.
    return float(max(1, math.ceil(10**log10 * (1 - 1e-9))))
