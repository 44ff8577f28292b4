"""How the variance of images is spread over their principal components."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from metrics.functional.centred_gram import centred_gram


@dataclass(frozen=True)
class PrincipalVarianceResult:
    """Variance along each principal component."""

    total: float  # summed over all components, in units of the input squared
    shares: Tensor  # (min(N, D),) descending, float64; sums to 1
    points: int

    def share(self, ranges: Sequence[tuple[int, int]]) -> float:
        """Share of the components in ranges [first, stop), counted from 0."""
        return float(sum(self.shares[first:stop].sum() for first, stop in ranges))

    def scalars(self) -> dict[str, float]:
        """Loggable numbers: the total, and how many components hold 95 % of it."""
        # on the CPU, because GPUs add in any order
        enough = int((self.shares.cpu().cumsum(0) < 0.95).sum()) + 1
        return {"variance": self.total, "components_95": float(min(enough, len(self.shares)))}


def principal_variance(x: Tensor) -> PrincipalVarianceResult:
    """Eigenvalues of the covariance of images x (N, ...), as shares of their sum.

        lambda_i of 1/N sum (x - mean)(x - mean)^T,   share_i = lambda_i / sum_j lambda_j

    in float64, from the smaller of the N x N and D x D products.

    Reading it: natural images have a few components with almost all of the variance (16 of 3072
    hold 72 % on CIFAR-10), and the components that networks classify by need not be among those
    (Prach & Lampert 2025, Table 1 and Fig. 7). At most N - 1 components vary: compare at equal N.

    Example:
        >>> found = principal_variance(torch.tensor([[3.0, 0.0], [-3.0, 0.0], [0.0, 1.0], [0, -1]]))
        >>> found.shares.tolist(), found.total
        ([0.9, 0.1...], 5.0)
    """
    flat = x.flatten(1)
    if len(flat) < 2 or not bool(flat.isfinite().all()):
        raise ValueError(f"{len(flat)} images; need at least two, without NaN or infinity")
    mean = flat.mean(0, dtype=torch.float64)
    values = torch.linalg.eigvalsh(centred_gram(flat, mean)).flip(0).clamp_min(0) / len(flat)
    total = values.sum()
    if not total > 0:
        raise ValueError(
            "all images are equal, so variance shares are undefined; pass images that differ"
        )
    return PrincipalVarianceResult(float(total), values / total, len(flat))
