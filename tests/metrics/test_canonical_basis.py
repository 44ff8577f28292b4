"""Eigenvectors that do not depend on how `eigh` came to them."""

import pytest
import torch

from metrics.functional.canonical_basis import canonical_basis


def spectrum(blocks, seed):
    """Descending eigenvalues, one per block, and orthonormal rows."""
    generator = torch.Generator().manual_seed(seed)
    count = sum(blocks)
    rows = torch.linalg.qr(torch.randn(count, count, dtype=torch.float64, generator=generator)).Q
    values = torch.cat([torch.full((m,), 1.0 / (i + 1)) for i, m in enumerate(blocks)])
    return values.double(), rows


@pytest.mark.parametrize("blocks", [(1, 1, 1, 1), (2, 1, 2), (7,), (3, 3, 2)])
def test_any_rotation_inside_the_blocks_gives_the_same_basis(blocks):
    values, rows = spectrum(blocks, 0)
    turned, start = rows.clone(), 0
    for size in blocks:
        _, turn = spectrum((size,), 1)
        turned[start : start + size] = turn @ rows[start : start + size]
        start += size
    ours = canonical_basis(values, rows)
    torch.testing.assert_close(ours, canonical_basis(values, turned), rtol=0, atol=1e-12)
    matrix = rows.T @ (values[:, None] * rows)
    torch.testing.assert_close(ours @ matrix, values[:, None] * ours)
    torch.testing.assert_close(ours @ ours.T, torch.eye(len(ours), dtype=torch.float64))


def test_nothing_of_nothing():
    assert canonical_basis(torch.zeros(0), torch.zeros(0, 5)).shape == (0, 5)
