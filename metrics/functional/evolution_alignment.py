"""Corr(Delta_F, M) free of the Monte Carlo noise in Delta_F, with its standard error."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from metrics.functional.geometry import Geometry


@dataclass(frozen=True)
class EvolutionAlignment:
    """Correlation of a geometry, known from independent estimates, with another."""

    correlation: float  # Corr(Delta, M), corrected for the noise of Delta
    error: float  # standard error, by leaving out one estimate at a time
    raw: float  # Corr of the mean of the estimates, biased to 0 by their noise

    def scalars(self) -> dict[str, float]:
        """Loggable numbers."""
        return {"": self.correlation, "_error": self.error, "_raw": self.raw}


def evolution_alignment(
    estimates: Sequence[Geometry], references: Sequence[Geometry]
) -> list[EvolutionAlignment]:
    r"""Correlation of Delta with exact geometries M, from noisy estimates Delta_b of Delta.

        Corr(Delta, M) = mean_b <Delta_b, M> / (|M| sqrt(mean_{b != c} <Delta_b, Delta_c>))

    The squared norm of the mean of B noisy D x D matrices is mostly that of the noise until there
    are more networks than D; products of two independent estimates have no noise on average.

    Reading it: near -1 where Delta_F follows the law. The error is large, or a ValueError is
    raised, where the estimates hardly agree with each other: take more networks.

    Args:
        estimates: Delta_b, B >= 3, independent.
        references: the matrices M, such as S and G S G; the result has one entry for each.

    Example:
        >>> parts = [Geometry.from_rows(torch.eye(3)[:2], (1, 1, 3))] * 3
        >>> [round(a.correlation, 6) for a in evolution_alignment(parts, [parts[0]])]
        [1.0]
    """
    count = len(estimates)
    if count < 3:
        raise ValueError(f"{count} estimates; leaving one out leaves two only from 3 on")
    products = torch.zeros(count, count, dtype=torch.float64)
    for i in range(count):
        for j in range(i, count):
            products[i, j] = products[j, i] = estimates[i].inner(estimates[j])
    found = []
    for reference in references:
        inner = [one.inner(reference) for one in estimates]
        along = torch.tensor(inner, dtype=torch.float64) / reference.norm
        everyone = torch.arange(count)
        left_out = torch.tensor(
            [_correlation(products, along, everyone[everyone != b]) for b in range(count)],
            dtype=torch.float64,
        )
        spread = (left_out - left_out.mean()).square().sum()
        found.append(
            EvolutionAlignment(
                correlation=_correlation(products, along, everyone),
                error=math.sqrt(float(spread) * (count - 1) / count),
                raw=float(along.mean() / products.mean().sqrt()),
            )
        )
    return found


def _correlation(products: Tensor, along: Tensor, chosen: Tensor) -> float:
    some = products[chosen][:, chosen]
    count = len(chosen)
    squared = float((some.sum() - some.diagonal().sum()) / (count * (count - 1)))
    if squared <= 0:
        raise ValueError(
            f"the {count} estimates do not agree (mean product {squared:.3g}): use more networks"
        )
    return float(along[chosen].mean()) / math.sqrt(squared)
