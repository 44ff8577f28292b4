import math

import pytest
import torch

from metrics.functional.linear_patch import linear_patch_radius


def test_linearising_a_quadratic_errs_by_the_budget_at_the_radius():
    # f(x) = x^T H x / 2 from 0: the error of the tangent at distance r is sigma_1 r^2 / 2.
    hessian = torch.tensor([[3.0, 1.0], [1.0, -2.0]], dtype=torch.float64)
    values, vectors = torch.linalg.eigh(hessian)
    steepest = values.abs().argmax()
    radius = linear_patch_radius(torch.linalg.matrix_norm(hessian, ord=2), error=0.01)
    x = radius * vectors[:, steepest]
    assert (x @ hessian @ x / 2).abs().item() == pytest.approx(0.01)


def test_radius_is_the_inverse_square_root_of_curvature():
    radius = linear_patch_radius(torch.tensor([1.0, 4.0, 0.0]), error=2.0)
    assert radius.tolist() == [2.0, 1.0, math.inf]


@pytest.mark.parametrize(
    ("norm", "error"), [(1.0, 0.0), (1.0, math.inf), (-1.0, 1.0), (math.nan, 1.0)]
)
def test_bad_radius_input_is_named(norm, error):
    with pytest.raises(ValueError, match="must be"):
        linear_patch_radius(torch.tensor([norm]), error)
