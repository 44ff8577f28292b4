import math

import pytest
import skdim
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.functional.neighbours import Neighbours, neighbours
from metrics.functional.twonn_dimension import twonn_dimension
from tests.metrics.test_mle_dimension import cube
from tests.parity import agree


@pytest.mark.parametrize("d", [1.0, 7.5, 40.0])
@pytest.mark.parametrize("discard", [0.0, 0.1, 0.5])
def test_exact_quantiles_give_the_exact_dimension(d, discard):
    """Ratios placed at the quantiles of F(mu) = 1 - mu^-d lie on the fitted line."""
    F = torch.arange(1, 101, dtype=torch.float64) / 100
    mu = (1 - F.clamp_max(0.999)) ** (-1 / d)
    found = Neighbours(
        torch.stack([torch.ones(100, dtype=torch.float64), mu], 1), torch.zeros(100, 2)
    )
    result = twonn_dimension(found, discard)
    assert result.dimension == pytest.approx(d, rel=1e-12)
    assert result.discarded == max(1, round(100 * discard))


@pytest.mark.parametrize(
    ("d", "largest_only", "tenth"), [(5, 4.68, 4.67), (10, 8.65, 8.50), (20, 15.61, 15.48)]
)
def test_uniform_cubes_read_as_published(d, largest_only, tenth):
    cubes = [neighbours(cube(1000, d, seed), 2) for seed in range(5)]  # one cube varies by 4 %
    for discard, expected in ((0, largest_only), (0.1, tenth)):
        mean = sum(twonn_dimension(found, discard).dimension for found in cubes) / 5
        assert mean == pytest.approx(expected, rel=0.06)


def test_duplicates_are_passed_over_and_counted():
    x = cube(200, 3)
    found = twonn_dimension(neighbours(torch.cat([x, x[:5]]), 2))
    assert (found.dropped, found.zeros) == (10, 10)
    spare = twonn_dimension(neighbours(torch.cat([x, x[:5]]), 3))
    assert (spare.dropped, spare.zeros, len(spare.mu)) == (0, 10, 205)
    assert math.isfinite(spare.dimension)


def test_bad_arguments_are_named():
    found = neighbours(cube(50, 2), 2)
    with pytest.raises(ValueError, match="discard=1"):
        twonn_dimension(found, discard=1)
    with pytest.raises(ValueError, match="1 of 2 ratios left"):
        twonn_dimension(Neighbours(found.distances[:2], found.indices[:2]))
    with pytest.raises(ValueError, match="k=2, but"):
        twonn_dimension(neighbours(cube(50, 2), 1))


def test_equidistant_points_read_as_infinite():
    assert twonn_dimension(neighbours(torch.eye(30), 2)).dimension == math.inf


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.floats(1e-6, 1e6))
def test_unit_and_order_do_not_matter(seed, unit):
    x = cube(60, 3, seed)
    plain, moved = neighbours(x, 2), neighbours(unit * x.flip(0), 2)
    assert twonn_dimension(moved).dimension == pytest.approx(
        twonn_dimension(plain).dimension, rel=1e-9
    )


@pytest.mark.parity
def test_agrees_with_skdim():
    x = cube(500, 6)
    agree(
        "twonn_dimension",
        "skdim.id.TwoNN",
        twonn_dimension(neighbours(x, 2)).dimension,
        skdim.id.TwoNN(discard_fraction=0.1).fit(x.numpy()).dimension_,
        rtol=1e-9,
        why="same regression through the origin",
    )
