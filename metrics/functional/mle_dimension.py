"""Intrinsic dimension by maximum likelihood (Levina & Bickel 2004; MacKay & Ghahramani 2005)."""

from dataclasses import dataclass
from typing import Literal

from torch import Tensor

from metrics.functional.bootstrap import bootstrap
from metrics.functional.choice import check_choice
from metrics.functional.estimate import Estimate
from metrics.functional.neighbours import Neighbours

Denominator = Literal["k-1", "k-2"]
Average = Literal["harmonic", "arithmetic"]


@dataclass(frozen=True)
class MLEDimension:
    """Maximum-likelihood dimension of a set of points."""

    dimension: float
    low: float  # 95 % bootstrap interval over points
    high: float
    per_point: Tensor  # (used,) float64, ascending: the estimate at each point alone
    used: int
    dropped: int  # points without k neighbours at a distance above 0
    zeros: int  # zero distances passed over

    def scalars(self) -> dict[str, float]:
        """The estimate, its interval, and what was left out."""
        return {
            "d_mle": self.dimension,
            "d_mle_low": self.low,
            "d_mle_high": self.high,
            "d_mle_dropped": float(self.dropped),
            "d_mle_zeros": float(self.zeros),
        }


def mle_dimension(
    neighbours: Neighbours,
    k: int = 20,
    denominator: Denominator = "k-1",
    average: Average = "harmonic",
    resamples: int = 1000,
    seed: int = 0,
) -> MLEDimension:
    """Dimension from how the distances to the k nearest neighbours grow.

        d = [ 1/N sum_i S_i ]^-1,   S_i = 1/(k-1) sum_{j<k} log T_k(x_i)/T_j(x_i)     (harmonic)
        d = 1/N sum_i 1/S_i                                                         (arithmetic)

    Konz & Mazurowski (2024) print "k-1" and their published code divides by "k-2", the unbiased
    form for one point: (k-2)/(k-1) of the printed value, 0.947 at k=20.

    Reading it: the number of directions in which images vary at the scale of T_k. Biased low when N
    is small for the dimension (a uniform 20-cube reads 13.7 at N=1000, k=20), so compare at equal N
    and k. Near-duplicates lower it. Points all equally far apart read as infinite.

    Args:
        neighbours: Of the points among themselves, with at least k neighbours each; a few more
            where duplicates are expected.
        k: Neighbours used, at least 2 (3 for "k-2").
        denominator: What S_i is divided by.
        average: Over points, of S_i (harmonic) or of 1/S_i.
        resamples: Bootstrap resamples of the points.
        seed: Of the bootstrap.

    Returns:
        MLEDimension, with points and zero distances that were left out counted.

    Raises:
        ValueError: If an option is unknown, k too small, or no point has k distinct neighbours.

    Example:
        >>> import torch
        >>> from metrics.functional.neighbours import neighbours
        >>> line = torch.rand(1000, 1, generator=torch.Generator().manual_seed(0))
        >>> round(mle_dimension(neighbours(line, 20), k=20).dimension, 1)
        1.0
    """
    check_choice("denominator", denominator, Denominator)
    check_choice("average", average, Average)
    divisor = k - int(denominator[-1])
    if divisor < 1:
        raise ValueError(f"k={k} leaves {denominator}={divisor} log ratios; use a larger k")
    T = neighbours.distinct(k)  # (used, k)
    S = (T[:, -1:] / T[:, :-1]).log().sum(1) / divisor
    S = S.sort(descending=True).values  # so that resamples do not depend on the order of points
    parts = S if average == "harmonic" else 1 / S

    def combine(mean: Tensor) -> Tensor:
        return 1 / mean if average == "harmonic" else mean

    dimension = float(combine(parts.mean()))
    values = bootstrap(lambda rows: combine(parts[rows].mean(1)), len(S), resamples, seed)
    interval = Estimate.of_resamples(dimension, values)
    return MLEDimension(
        dimension=dimension,
        low=interval.low,
        high=interval.high,
        per_point=1 / S,
        used=len(S),
        dropped=len(neighbours.distances) - len(S),
        zeros=int(neighbours.zeros.sum()),
    )
