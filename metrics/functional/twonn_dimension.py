"""Intrinsic dimension from the two nearest neighbours (Facco, d'Errico, Rodriguez & Laio 2017)."""

from dataclasses import dataclass

import torch
from torch import Tensor

from metrics.functional.checks import check_number, check_type
from metrics.functional.neighbours import Neighbours


@dataclass(frozen=True)
class TwoNNDimension:
    """Two-nearest-neighbour dimension of a set of points."""

    dimension: float
    mu: Tensor  # (points with two distinct neighbours,) float64 ascending: r2 / r1
    used: int  # smallest ratios in the fit
    discarded: int  # largest ratios left out of the fit
    dropped: int  # points without two neighbours at a distance above 0
    zeros: int  # zero distances left out

    def scalars(self) -> dict[str, float]:
        """The estimate and what was left out."""
        return {
            "d_twonn": self.dimension,
            "d_twonn_dropped": float(self.dropped),
            "d_twonn_zeros": float(self.zeros),
        }


def twonn_dimension(neighbours: Neighbours, discard: float = 0.1) -> TwoNNDimension:
    """Dimension from the ratio of the distances to the second and the first neighbour.

        mu = r2/r1 has F(mu) = 1 - mu^-d,  so  -log(1 - F) = d log mu:
        d = sum_i y_i log mu_i / sum_i log^2 mu_i,   y_i = -log(1 - i/N),  mu_1 <= ... <= mu_N

    a regression through the origin over the smallest ratios.

    Reading it: the dimension at the smallest scale the data have. It needs no k and little
    uniformity, but one near-duplicate per image (slices of a volume) lowers it strongly: where it
    is well below `mle_dimension`, look at the nearest pairs. Points all equally far apart read as
    infinite.

    Args:
        neighbours: Of the points among themselves, at least 2 each; a few more where duplicates
            are expected.
        discard: Share of the largest ratios left out; 0 drops only the largest ratio, for which
            log(1 - F) is infinite, as the code of Konz & Mazurowski (2024) does.

    Example:
        >>> from metrics.functional.neighbours import neighbours
        >>> x = torch.rand(2000, 2, generator=torch.Generator().manual_seed(0))
        >>> round(twonn_dimension(neighbours(x, 2)).dimension, 1)
        2.0
    """
    check_type("neighbours", neighbours, Neighbours)
    if not 0 <= check_number("discard", discard) < 1:
        raise ValueError(f"discard={discard} of the ratios; it must be in [0, 1)")
    r1, r2 = neighbours.distinct(2).unbind(1)
    mu = (r2 / r1).sort().values
    used = min(int(len(mu) * (1 - discard)), len(mu) - 1)
    if used < 2:
        raise ValueError(f"{used} of {len(mu)} ratios left to fit; add points or lower discard")
    F = torch.arange(1, used + 1, dtype=mu.dtype, device=mu.device) / len(mu)
    log_mu, y = mu[:used].log(), -torch.log1p(-F)
    spread = float((log_mu**2).sum())
    return TwoNNDimension(
        dimension=float((log_mu * y).sum()) / spread if spread else torch.inf,
        mu=mu,
        used=used,
        discarded=len(mu) - used,
        dropped=len(neighbours.distances) - len(mu),
        zeros=int(neighbours.zeros.sum()),
    )
