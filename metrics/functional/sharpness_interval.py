"""How much label sharpness varies from one sample of images to another."""

import math

import torch
from torch import Tensor

from metrics.functional.closest_pairs import Tile
from metrics.functional.estimate import Estimate
from metrics.functional.squared_distances import Points, exact_distances

NEAREST = 30  # pairs from which the law of the smallest distances is estimated
SIMULATIONS = 4000


def nearest_in_tile(points: Points, tile: Tile, count: int = NEAREST) -> Tensor:
    """The `count` smallest distances of a tile, or fewer.

    Chosen by its Gram products, twice as many, then measured from differences.
    """
    rows, columns, squared = tile
    values, place = squared.flatten().topk(min(2 * count, squared.numel()), largest=False)
    place = place[values < torch.inf]
    i, j = rows[place // len(columns)], columns[place % len(columns)]
    return exact_distances(points, i, points, j).sort().values[:count]


def sharpness_interval(
    value: float, nearest: Tensor, draws: int = 1, kept: float = 1.0
) -> Estimate:
    r"""Interval of the median K_F over new samples of as many images of the same population.

    The number of opposite pairs closer than r grows as c r^d for small r and is Poisson, so with
    r_1 <= r_2 <= ... the smallest distances, t_i = c r_i^d are the arrivals of a Poisson process of
    rate 1 and K_F = 1 / r_1 is Frechet. The distribution of

        P = (log K_median - log K_F) / h,   h = 1/(m-1) sum_{i<m} log(r_m / r_i)   (Hill 1975)

    depends on m = 30 alone (h estimates 1/d). It is simulated, and K_median lies in
    K_F exp(h P_low) .. K_F exp(h P_high).

    Reading it: about K_F times 5^(-1/d) to 40^(1/d): a factor of 1.2 to 1.6 at d = 10. It assumes
    that the closest pairs are independent: many near-duplicates (slices of one patient) make it too
    narrow. It is unknown for fewer than 30 pairs, or equal images among them. Simulated coverage is
    in docs/intervals.md.

    Args:
        value: K_F, or its mean over draws.
        nearest: (m,) smallest distances of one sample, ascending.
        draws: Samples that `value` is the mean of.
        kept: Share of the pool's opposite pairs that is in a draw; 1 where the sample is the pool.

    Example:
        >>> found = sharpness_interval(10.0, 0.1 * torch.arange(1, 31).double() ** (1 / 10))
        >>> found.low < 10 < found.high
        True
    """
    if len(nearest) < NEAREST or not (float(nearest[0]) > 0 and math.isfinite(value)):
        return Estimate.unknown(value)
    hill = float((nearest[-1] / nearest[:-1]).log().mean())
    if not hill > 0:
        return Estimate.unknown(value)
    pivots = _pivots(draws, kept, hill)
    low, high = (math.exp(hill * float(pivots.quantile(q))) for q in (0.025, 0.975))
    return Estimate(value, value * low, value * high)


def _pivots(draws: int, kept: float, hill: float) -> Tensor:
    """Simulated (log K_median - log K_F) / h, for a law of dimension 1 / hill."""
    generator = torch.Generator().manual_seed(0)
    length = NEAREST if kept == 1 else math.ceil(8 / kept)  # beyond, one in 3000 draws would reach

    def exponentials(*shape: int) -> Tensor:
        # a third of the time of `exponential_`, which computes one value at a time
        return torch.rand(shape, dtype=torch.float64, generator=generator).neg_().log1p_().neg_()

    arrivals = exponentials(SIMULATIONS, length).cumsum(1)
    median = math.log(math.log(2) / kept)
    if kept == 1:
        h = (arrivals[:, -1:] / arrivals[:, :-1]).log().mean(1)
        return (arrivals[:, 0].log() - median) / h
    h = exponentials(SIMULATIONS, NEAREST - 1).mean(1)  # of other pairs, nearly all
    first = (exponentials(SIMULATIONS, draws) / -math.log1p(-kept)).long().clamp_max(length - 1)
    closest = arrivals.gather(1, first)  # of each draw: pairs are in it with probability `kept`
    log_mean = (-hill * closest.log()).logsumexp(1) - math.log(draws)
    return (-log_mean / hill - median) / h
