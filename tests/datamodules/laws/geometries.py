"""Geometries with a known spectrum, for tests."""

import torch
from torch import Tensor


def decaying(dimension: int, rank: int | None = None) -> tuple[Tensor, Tensor]:
    """Eigenvalues 3 / 2^i and a random orthonormal basis, as columns."""
    generator = torch.Generator().manual_seed(0)
    basis, _ = torch.linalg.qr(torch.randn(dimension, dimension, generator=generator).double())
    values = 3 * 0.5 ** torch.arange(dimension).double()
    return values[:rank], basis[:, :rank]
