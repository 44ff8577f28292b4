"""Eigenvectors that depend on the matrix alone, also where eigenvalues are equal."""

import torch
from torch import Tensor

EQUAL = 1e-12  # of the largest eigenvalue; vectors of closer ones are mostly rounding errors


def canonical_basis(values: Tensor, vectors: Tensor) -> Tensor:
    """Eigenvectors (R, D) in a basis that does not depend on library, machine or threads.

    `values` (R,) descend, and the rows of `vectors` are orthonormal. Within a block of m equal
    eigenvalues with vectors V (m x D), any rotation of V is equally valid, and the one that
    `torch.linalg.eigh` returns depends on how it splits its sums. Here

        V' = Q^T,   Q R = (X V^T V)^T,   diag(R) > 0

    with X (m x D) fixed Gaussian numbers: projections of fixed directions onto the eigenspace,
    orthonormalised in order. In a block of one this only chooses the sign.

    Reading it: symmetric architectures have exactly repeated eigenvalues (a square image's flips
    and turns make pairs, channels triples, an MLP one block of all), so "the second eigenvector of
    G_F" names a direction only together with such a rule.

    Example:
        >>> turned = torch.linalg.qr(torch.randn(3, 3, dtype=torch.float64)).Q
        >>> values = torch.ones(3, dtype=torch.float64)
        >>> a, b = canonical_basis(values, turned), canonical_basis(values, torch.eye(3).double())
        >>> torch.allclose(a, b)
        True
    """
    if len(values) == 0:
        return vectors
    generator = torch.Generator().manual_seed(0)
    apart = values[:-1] - values[1:] > EQUAL * values.abs().max()
    ends = [*(apart.nonzero().flatten() + 1).tolist(), len(values)]
    parts, start = [], 0
    for end in ends:
        block = vectors[start:end]
        fixed = torch.randn(block.shape, dtype=torch.float64, generator=generator).to(block)
        q, r = torch.linalg.qr(block @ fixed.T)  # in coordinates of the block: m x m
        parts.append((q * r.diagonal().sign()).T @ block)
        start = end
    return torch.cat(parts)
