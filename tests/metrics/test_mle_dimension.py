import math

import pytest
import skdim
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from metrics.functional.mle_dimension import mle_dimension, neighbours_for_interval
from metrics.functional.neighbours import Neighbours, neighbours
from tests.parity import agree


def cube(n: int, d: int, seed: int = 0) -> Tensor:
    return torch.rand(n, d, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def test_evenly_spaced_ring_has_a_closed_form():
    """On a ring T = h, h, 2h, 2h, ..., 10h, 10h, so 19/d = 2 log(10^10 / 10!), up to curvature."""
    angle = 2 * math.pi * torch.arange(5000, dtype=torch.float64) / 5000
    ring = torch.stack([angle.cos(), angle.sin()], dim=1)
    expected = 19 / (2 * math.log(10**10 / math.factorial(10)))
    found = mle_dimension(neighbours(ring, 20))
    assert found.dimension == pytest.approx(expected, rel=1e-5)
    assert math.isnan(found.low)  # 20 neighbours do not show what half of the points would


@pytest.mark.parametrize(("d", "expected"), [(5, 4.41), (10, 7.93), (20, 13.68)])
def test_uniform_cubes_read_as_published(d, expected):
    found = neighbours(cube(1000, d), neighbours_for_interval(20, 1000))
    printed = mle_dimension(found)
    assert printed.dimension == pytest.approx(expected, rel=0.03)
    assert printed.low < printed.dimension < printed.high
    assert printed.half < printed.dimension  # biased low, and more so with fewer points
    reference = mle_dimension(found, denominator="k-2")
    assert reference.dimension == pytest.approx(printed.dimension * 18 / 19, rel=1e-12)


def test_other_numbers_of_neighbours_show_the_bias():
    found = neighbours(cube(1000, 20), neighbours_for_interval(20, 1000))
    one = mle_dimension(found)
    assert list(one.by_k) == [5, 10, 40]
    assert one.by_k[5] > one.by_k[10] > one.dimension > one.by_k[40]
    assert one.by_k[40] == pytest.approx(one.half, rel=0.01)  # both look as far
    for k, d in one.by_k.items():
        assert mle_dimension(found, k).dimension == d
        assert one.scalars()[f"d_mle@{k}"] == d
    assert mle_dimension(found, denominator="k-2").by_k[10] == pytest.approx(one.by_k[10] * 8 / 9)
    assert list(mle_dimension(neighbours(cube(30, 2), 20)).by_k) == [5, 10]  # 40 are not there


@pytest.mark.parametrize("d", [1, 2, 4])
def test_spheres(d):
    x = torch.randn(2000, d + 1, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    found = mle_dimension(neighbours(x / x.norm(dim=1, keepdim=True), 20))
    assert found.dimension == pytest.approx(d, rel=0.05)


def test_arithmetic_mean_is_of_points_and_larger():
    found = neighbours(cube(300, 3), 10)
    harmonic = mle_dimension(found, 10)
    arithmetic = mle_dimension(found, 10, average="arithmetic")
    assert arithmetic.dimension == pytest.approx(float(arithmetic.per_point.mean()))
    assert harmonic.dimension == pytest.approx(float(1 / (1 / harmonic.per_point).mean()))
    assert arithmetic.dimension > harmonic.dimension


def test_duplicates_are_passed_over_and_counted():
    x = cube(200, 3)
    twice = torch.cat([x, x[:5]])
    enough = mle_dimension(neighbours(twice, 21), k=20)
    assert (enough.used, enough.dropped, enough.zeros) == (205, 0, 10)
    short = mle_dimension(neighbours(twice, 20), k=20)
    assert (short.used, short.dropped, short.zeros) == (195, 10, 10)
    assert math.isfinite(enough.dimension)


def test_equidistant_points_read_as_infinite():
    found = mle_dimension(neighbours(torch.eye(30), 20))
    assert found.dimension == math.inf
    assert math.isnan(found.low)


def test_bad_arguments_are_named():
    found = neighbours(cube(50, 2), 10)
    with pytest.raises(ValueError, match="k=20, but"):
        mle_dimension(found)
    with pytest.raises(ValueError, match="denominator='k'"):
        mle_dimension(found, 5, denominator="k")
    with pytest.raises(ValueError, match="average='mean'"):
        mle_dimension(found, 5, average="mean")
    with pytest.raises(ValueError, match="k=2 must be a whole number, at least 3"):
        mle_dimension(found, 2, denominator="k-2")
    with pytest.raises(ValueError, match="duplicates"):
        mle_dimension(neighbours(torch.ones(50, 2), 10), 5)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.floats(1e-6, 1e6))
def test_unit_and_order_do_not_matter(seed, unit):
    distances = torch.rand(30, 8, generator=torch.Generator().manual_seed(seed)).double() + 0.1
    distances = distances.sort(dim=1).values
    nobody = torch.zeros(30, 8, dtype=torch.long)
    plain = mle_dimension(Neighbours(distances, nobody), 8)
    moved = mle_dimension(Neighbours(unit * distances.flip(0), nobody), 8)
    for name, value in plain.scalars().items():
        assert moved.scalars()[name] == pytest.approx(value, rel=1e-9)


def test_the_half_is_what_a_search_among_half_of_the_points_finds():
    x = cube(600, 4)
    found = mle_dimension(neighbours(x, neighbours_for_interval(10, 600)), 10)
    parts = torch.randperm(600, generator=torch.Generator().manual_seed(1)).reshape(2, 300)
    searched = [mle_dimension(neighbours(x[part], 10), 10).dimension for part in parts]
    assert found.half == pytest.approx(sum(searched) / 2, rel=0.02)


def test_the_interval_is_wider_than_that_of_independent_points():
    """Points share neighbours: the spread over points, as if they did not, is too small."""
    x = cube(500, 5)
    found = mle_dimension(neighbours(x, neighbours_for_interval(20, 500)))
    relative = float((1 / found.per_point).std()) * found.dimension / math.sqrt(500)
    assert found.high / found.dimension > math.exp(1.1 * 1.96 * relative)


@pytest.mark.parity
@pytest.mark.parametrize(("average", "comb"), [("harmonic", "mle"), ("arithmetic", "mean")])
def test_agrees_with_skdim(average, comb):
    x = cube(400, 6)
    theirs = skdim.id.MLE(K=20, neighborhood_based=True).fit(x.numpy(), n_neighbors=20, comb=comb)
    ours = mle_dimension(neighbours(x, 20), 20, average=average)
    agree(
        f"mle_dimension(average={average!r})",
        "skdim.id.MLE",
        ours.dimension,
        theirs.dimension_,
        rtol=1e-6,
        why="same formula, k-1",
    )
