"""Numbers near the ends of float64: right, or refused with a sentence; never silently wrong."""

import pytest
import torch
from torch import nn

from metrics.functional import (
    Geometry,
    alignment_score,
    fit_lognormal,
    fit_power_law,
    intrinsic_dimension,
    jacobian_spectrum,
    label_sharpness,
    nearest_neighbour_certificate,
    neighbour_scaling,
    neighbours,
    split_spectrum,
)

X = torch.rand(60, 1, 2, 2, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
Y = torch.arange(60) % 2
ENDS = pytest.mark.parametrize("scale", [1e200, 1e-200])


def assert_close(found, expected):
    torch.testing.assert_close(found, expected, rtol=1e-6, atol=0)


@ENDS
def test_distances_scale(scale):
    expected, found = neighbours(X, 5), neighbours(scale * X, 5)
    assert_close(found.distances / scale, expected.distances)
    assert torch.equal(found.indices, expected.indices)
    assert_close(neighbours(scale * X, 3, query=scale * X[:4]).distances[:, 1:] / scale,
          neighbours(X, 3, query=X[:4]).distances[:, 1:])  # fmt: skip


@ENDS
def test_dimensions_do_not_change(scale):
    expected, found = intrinsic_dimension(X, k=5), intrinsic_dimension(scale * X, k=5)
    assert found.scalars() == pytest.approx(expected.scalars(), rel=1e-6, nan_ok=True)


@ENDS
@pytest.mark.parametrize("pairs", ["all", "random"])
def test_sharpness_scales_inversely(scale, pairs):
    expected = label_sharpness(X, Y, pairs=pairs)
    found = label_sharpness(scale * X, Y, value_range=scale, pairs=pairs)
    assert found.value * scale == pytest.approx(expected.value, rel=1e-6)
    assert (found.pair, found.zero_pairs) == (expected.pair, 0)


@ENDS
def test_certificates_scale(scale):
    def radius(a):
        return nearest_neighbour_certificate(a * X[:9], Y[:9], a * X[9:], Y[9:]).sharp_radius

    assert_close(radius(scale) / scale, radius(1.0))


@ENDS
@pytest.mark.parametrize("metric", ["l2", "angular"])
def test_d_star_does_not_change(scale, metric):
    def d_star(a):
        return neighbour_scaling(a * X[10:], a * X[:10], [3, 10, 50], metric=metric).d_star

    assert d_star(scale) == pytest.approx(d_star(1.0), rel=1e-6)


@ENDS
def test_singular_values_scale(scale):
    net = nn.Sequential(nn.Flatten(), nn.Linear(4, 3)).double()
    expected = jacobian_spectrum(net, X)
    net[1].weight.data *= scale
    assert_close(jacobian_spectrum(net, X) / scale, expected)


@ENDS
def test_scores_do_not_change(scale):
    assert_close(
        alignment_score(scale * X, Geometry.from_rows(X)), alignment_score(X, Geometry.from_rows(X))
    )


@ENDS
def test_a_geometry_beyond_float64_is_refused(scale):
    with pytest.raises(ValueError, match="the longest row has length .*: scale the rows"):
        Geometry.from_rows(scale * X)


@ENDS
def test_fits_keep_their_shape(scale):
    sigma = X.flatten() + 0.1
    expected, found = fit_lognormal(sigma, 0), fit_lognormal(scale * sigma, 0)
    assert found.s == pytest.approx(expected.s)
    assert found.r_squared_linear == pytest.approx(expected.r_squared_linear)
    assert fit_power_law(scale * sigma).alpha == pytest.approx(fit_power_law(sigma).alpha)


def test_numbers_that_are_no_logarithms_are_refused():
    with pytest.raises(ValueError, match="take the logarithm first"):
        split_spectrum(1e200 * X)
