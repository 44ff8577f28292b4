import math
import sys

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import linregress
from torch import Tensor

from metrics.functional.neighbour_scaling import neighbour_scaling
from metrics.neighbour_scaling import NeighbourScaling
from tests.metrics.contract import check_contract
from tests.parity import agree

SIZES = [50, 100, 200, 400]


def cube(n: int, d: int, seed: int = 0) -> Tensor:
    return torch.rand(n, d, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


@pytest.mark.parametrize("block", [30, 8192])
def test_curve_equals_direct_distances(block, monkeypatch):
    monkeypatch.setattr(sys.modules[neighbour_scaling.__module__], "BLOCK", block)
    train, test = cube(400, 5), cube(30, 5, 1)
    found = neighbour_scaling(train, test, SIZES)
    distances = torch.cdist(test, train, compute_mode="donot_use_mm_for_euclid_dist")
    expected = torch.stack([distances[:, :n].amin(1) for n in SIZES])
    torch.testing.assert_close(found.nearest, expected, rtol=1e-12, atol=0)
    torch.testing.assert_close(found.mean, expected.mean(1))
    torch.testing.assert_close(found.median, expected.quantile(0.5, dim=1))


@pytest.mark.parametrize("d", [1, 2, 3])
def test_recovers_the_dimension_of_a_torus(d):
    """Points on a d-dimensional flat torus have no border, so r falls as n^(-1/d)."""
    angles = 2 * math.pi * cube(9000, d)
    torus = torch.cat([angles.cos(), angles.sin()], dim=1)
    found = neighbour_scaling(torus[1000:], torus[:1000], [500, 1000, 2000, 4000, 8000])
    assert found.d_star == pytest.approx(d, rel=0.1)
    assert found.log10_n_at_1 == pytest.approx(found.d_star * math.log10(found.C))


def test_angular_is_the_arc_cosine_and_ignores_length():
    train, test = cube(200, 4) - 0.5, cube(20, 4, 1) - 0.5
    found = neighbour_scaling(train, test, [50, 200], metric="angular")
    cosine = torch.nn.functional.cosine_similarity(test[:, None], train, dim=2)
    expected = torch.stack([cosine[:, :n].amax(1).acos() for n in (50, 200)])
    torch.testing.assert_close(found.nearest, expected, rtol=1e-6, atol=0)
    longer = neighbour_scaling(7 * train, test, [50, 200], metric="angular")
    torch.testing.assert_close(longer.nearest, found.nearest)


def test_fit_uses_only_the_range_asked():
    train, test = cube(400, 3), cube(50, 3, 1)
    part = neighbour_scaling(train, test, SIZES, fit_from=150, statistic="mean")
    alone = neighbour_scaling(train, test, SIZES[2:], statistic="mean")
    assert part.scalars() == pytest.approx(alone.scalars())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sizes": [10, 5]}, "must ascend within 1..40"),
        ({"sizes": [10, 50]}, "must ascend within 1..40"),
        ({"sizes": []}, "must ascend"),
        ({"fit_from": 20}, "fewer than two"),
        ({"metric": "l1"}, "metric='l1'"),
        ({"statistic": "mode"}, "statistic='mode'"),
        ({"metric": "angular", "train": torch.zeros(40, 3)}, "train has an image of zeros"),
        ({"test": torch.zeros(5, 2)}, "points of test are"),
        ({"test": torch.zeros(0, 3)}, "test has shape"),
        ({"train": torch.full((40, 3), torch.nan)}, "NaN"),
        ({"train": torch.zeros(40, 3)}, "does not|falling"),
    ],
)
def test_bad_input_is_named(change, message):
    arguments = {"train": cube(40, 3), "test": cube(5, 3, 1), "sizes": [10, 20 * 2]}
    with pytest.raises(ValueError, match=message):
        neighbour_scaling(**arguments | change)


def test_test_images_found_in_train_are_refused():
    with pytest.raises(ValueError, match="remove test images from train"):
        neighbour_scaling(cube(40, 3), cube(40, 3)[:10], [10, 40])


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1000), st.floats(1e-3, 1e3), st.floats(-10, 10))
def test_scale_shift_and_rotation(seed, scale, shift):
    train, test = cube(100, 3, seed), cube(20, 3, seed + 1)
    rotation = torch.linalg.qr(cube(3, 3, seed))[0]
    plain = neighbour_scaling(train, test, [10, 100])
    moved = neighbour_scaling(
        scale * (train @ rotation + shift),
        scale * (test @ rotation + shift),
        [10, 100],
    )
    torch.testing.assert_close(moved.median, scale * plain.median, rtol=1e-7, atol=0)
    assert moved.d_star == pytest.approx(plain.d_star, rel=1e-6)
    assert pytest.approx(scale * plain.C, rel=1e-6) == moved.C


def test_contract():
    x = cube(120, 3).float()
    is_test, number = torch.arange(120) % 4 == 0, torch.arange(120)
    columns = [tensor.split(30) for tensor in (x, is_test, number)]
    check_contract(lambda: NeighbourScaling([20, 40, 90]), list(zip(*columns, strict=True)))


@pytest.mark.parity
def test_fits_agree_with_scipy():
    found = neighbour_scaling(cube(400, 4), cube(60, 4, 1), SIZES)
    power = linregress([math.log(n) for n in SIZES], found.median.log())
    linear = linregress([math.log(n) for n in SIZES], found.median)
    agree(
        "neighbour_scaling",
        "scipy.stats.linregress",
        [found.d_star, found.C, found.linear_d_star, found.linear_c],
        [
            -1 / power.slope,
            math.exp(power.intercept),
            -linear.intercept / linear.slope,
            linear.intercept,
        ],
        rtol=1e-9,
        why="same least squares",
    )
