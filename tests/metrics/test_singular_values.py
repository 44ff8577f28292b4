import math

import pytest
import torch

from metrics.functional.singular_values import singular_values


@pytest.mark.parametrize("condition", [1e-3, 1e-5, 1e-7, 1e-10, 1e-17, 0.0])
def test_small_values_are_right_far_below_the_reach_of_a_gram_matrix(condition):
    generator = torch.Generator().manual_seed(0)
    U = torch.linalg.qr(torch.randn(3, 3, generator=generator, dtype=torch.float64)).Q
    V = torch.linalg.qr(torch.randn(50, 3, generator=generator, dtype=torch.float64)).Q
    expected = torch.tensor([2.0, 1.0, condition], dtype=torch.float64)
    J = (U * expected) @ V.T
    found = singular_values(J[None])[0]
    if condition < 1e-15:  # rounding: a dead direction is 0, not 1e-17
        assert found[2] == 0
    torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-16)


def test_agrees_with_a_decomposition_over_several_blocks_of_columns(monkeypatch):
    J = torch.randn(3, 4, 50, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    monkeypatch.setattr("metrics.functional.singular_values.BLOCK", 7)
    torch.testing.assert_close(singular_values(J), torch.linalg.svdvals(J))


def test_float32_rounding_is_not_taken_for_data():
    row = torch.rand(1, 1, 300, generator=torch.Generator().manual_seed(0))
    J = torch.cat([row, row / 3], 1)  # rank 1 but for the rounding of the division
    assert singular_values(J)[0, 1] == 0
    assert torch.linalg.svdvals(J.double())[0, 1] > 0


@pytest.mark.parametrize("bad", [math.inf, math.nan])
def test_not_finite(bad):
    with pytest.raises(ValueError, match="1 of 2 Jacobians"):
        singular_values(torch.tensor([[[bad, 1.0, 1.0]], [[1.0, 1.0, 1.0]]]))
