"""Intrinsic dimension by maximum likelihood (Levina & Bickel 2004; MacKay & Ghahramani 2005)."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from metrics.functional.checks import check_choice, check_type, check_whole
from metrics.functional.estimate import student_quantile
from metrics.functional.neighbours import Neighbours

Denominator = Literal["k-1", "k-2"]
Average = Literal["harmonic", "arithmetic"]
SPLITS = 40  # into halves; their differences have as much information as 15 independent ones
FREEDOM = 15
LEAST_K = 4  # neighbours, in `by_k`
DROPPED = 0.05  # largest share of points of a half without k neighbours among those computed


def neighbours_for_interval(k: int, points: int) -> int:
    """Neighbours to compute so that almost all points have k of them in a random half.

    >>> neighbours_for_interval(20, 1000), neighbours_for_interval(20, 50)
    (68, 49)
    """
    return min(points - 1, 3 * k + 8)


@dataclass(frozen=True)
class MLEDimension:
    """Maximum-likelihood dimension of a set of points."""

    dimension: float
    low: float  # 95 % interval over new sets of as many points; NaN: not known
    high: float
    half: float  # the estimate from half of the points: its distance shows the bias; NaN: not known
    by_k: Mapping[int, float]  # the estimate at k/4, k/2 and 2k, where possible
    per_point: Tensor  # (used,) float64, ascending: the estimate at each point alone
    used: int
    dropped: int  # points without k neighbours at a distance above 0
    zeros: int  # zero distances left out

    def scalars(self) -> dict[str, float]:
        """The estimate, its interval and its half where known, other k, and what was left out."""
        numbers = {"d_mle": self.dimension}
        numbers |= {f"d_mle@{k}": dimension for k, dimension in self.by_k.items()}
        if not math.isnan(self.half):
            numbers |= {"d_mle_low": self.low, "d_mle_high": self.high, "d_mle_half": self.half}
        return numbers | {
            "d_mle_dropped": float(self.dropped),
            "d_mle_zeros": float(self.zeros),
        }


def mle_dimension(
    neighbours: Neighbours,
    k: int = 20,
    denominator: Denominator = "k-1",
    average: Average = "harmonic",
    seed: int = 0,
) -> MLEDimension:
    """Dimension from how the distances to the k nearest neighbours grow.

        d = [ 1/N sum_i S_i ]^-1,   S_i = 1/(k-1) sum_{j<k} log T_k(x_i)/T_j(x_i)     (harmonic)
        d = 1/N sum_i 1/S_i                                                         (arithmetic)

    Konz & Mazurowski (2024) print "k-1" and their published code divides by "k-2", the unbiased
    form for one point: (k-2)/(k-1) of the printed value, 0.947 at k=20.

    The interval shows how d varies between sets of N points of the same law. Points share
    neighbours, so it comes not from the spread over points but from disjoint halves, whose
    estimates are independent:

        Var(S) = mean over random splits of (S_half - S_other half)^2 / 2,   half of that at N

    Reading it: the number of directions in which images vary at the scale of T_k. Biased low when N
    is small for the dimension (a uniform 20-cube reads 13.9 at N=1000, k=20): the interval does not
    include this bias, but `half` and `by_k` show it, because d then falls with fewer points and
    with larger k. Compare at equal N and k. Near-duplicates lower d. Points all equally far apart
    read as infinite.

    Args:
        neighbours: Of the points among themselves, with at least k neighbours each; a few more
            where duplicates are expected, and `neighbours_for_interval(k, N)` for the interval.
        k: Neighbours used, at least 2 (3 for "k-2").
        denominator: What S_i is divided by.
        average: Over points, of S_i (harmonic) or of 1/S_i.
        seed: Of the splits into halves.

    Example:
        >>> import torch
        >>> from metrics.functional.neighbours import neighbours
        >>> line = torch.rand(1000, 1, generator=torch.Generator().manual_seed(0))
        >>> round(mle_dimension(neighbours(line, 20), k=20).dimension, 1)
        1.0
    """
    check_choice("denominator", denominator, Denominator)
    check_choice("average", average, Average)
    check_type("neighbours", neighbours, Neighbours)
    divisor = check_whole("k", k, least=int(denominator[-1]) + 1) - int(denominator[-1])

    def dimension_of(S: Tensor) -> float:
        return float(1 / S.mean() if average == "harmonic" else (1 / S).mean())

    S = _inverse(neighbours, k, divisor)
    dimension = dimension_of(S)
    by_k = {
        other: dimension_of(_inverse(neighbours, other, other - (k - divisor)))
        for other in (k // 4, k // 2, 2 * k)
        if other >= LEAST_K
        and bool((neighbours.zeros + other <= neighbours.distances.shape[1]).any())
    }
    halves = _halves(neighbours.cpu(), k, divisor, seed)  # one copy, not one for each comparison
    # logarithms, because d of a half is smaller, and its spread in proportion
    logs = torch.tensor([[math.log(dimension_of(S)) for S in pair] for pair in halves]).double()
    low = high = half = math.nan
    if len(logs) and bool(logs.isfinite().all()):
        deviation = float((logs[:, 0] - logs[:, 1]).square().mean()) ** 0.5 / 2
        reach = math.exp(student_quantile(FREEDOM) * deviation)
        low, high, half = dimension / reach, dimension * reach, float(logs.mean().exp())
    return MLEDimension(
        dimension=dimension,
        low=low,
        high=high,
        half=half,
        by_k=by_k,
        per_point=1 / S,
        used=len(S),
        dropped=len(neighbours.distances) - len(S),
        zeros=int(neighbours.zeros.sum()),
    )


def _inverse(neighbours: Neighbours, k: int, divisor: int) -> Tensor:
    """S_i of the points that have k distinct neighbours, the largest first."""
    T = neighbours.distinct(k)  # (used, k)
    S = (T[:, -1:] / T[:, :-1]).log().sum(1) / divisor
    return S.sort(descending=True).values  # so that the mean does not depend on the order of points


def _halves(neighbours: Neighbours, k: int, divisor: int, seed: int) -> list[list[Tensor]]:
    """S_i of the points in the two halves of every split; empty if halves lack neighbours.

    No new search: the computed neighbours in the same half are the nearest of that half.
    """
    generator = torch.Generator().manual_seed(seed)
    count = len(neighbours.distances)
    order = neighbours.distances.sum(1).argsort()  # halves do not depend on the order of points
    distinct = neighbours.distances > 0
    logs = neighbours.distances.where(distinct, 1.0).log()
    found = []
    for _ in range(SPLITS):
        first = torch.zeros(count, dtype=torch.bool)
        first[order[torch.randperm(count, generator=generator)[: count // 2]]] = True
        pair = []
        for half in (first, ~first):
            left = half[neighbours.indices[half]] & distinct[half]
            rank = left.cumsum(1)
            weight = (k - 1) * (left & (rank == k)).double() - (left & (rank < k)).double()
            enough = rank[:, -1] >= k
            if not enough.any() or float((~enough).double().mean()) > DROPPED:
                return []
            pair.append((weight * logs[half]).sum(1)[enough] / divisor)
        found.append(pair)
    return found
