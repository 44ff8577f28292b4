from functools import partial

import pytest
import torch

from datamodules.errors import DataError
from datamodules.laws.gaussian import Gaussian
from tests.datamodules.laws.geometries import decaying

SHAPE = (1, 3, 3)
N = 40_000


def covariance(split):
    x = split.x.flatten(1).double()
    return x.T @ x / len(x)


@pytest.mark.parametrize("flip", [False, True])
def test_covariance_is_g_over_its_norm_or_its_flip(flip):
    values, vectors = decaying(9)
    order = values.flip(0) if flip else values
    expected = vectors @ (order / values[0]).diag() @ vectors.T
    drawn = Gaussian(partial(decaying, 9), flip=flip).draw(N, 2, SHAPE, 0)
    seen = covariance(drawn.train)
    # Var of an entry is at most 2 max(expected)^2 / N
    assert torch.allclose(seen, expected, atol=5 * (2 / N) ** 0.5)
    # the weakest direction relative to itself: a swapped order would be off by 256
    weakest = vectors[:, 0 if flip else -1]
    assert float(weakest @ seen @ weakest) == pytest.approx(float(values[-1] / values[0]), rel=0.05)


def test_g_and_flip_have_equal_energy():
    values, _ = decaying(9)
    for flip in (False, True):
        x = Gaussian(partial(decaying, 9), flip=flip).draw(N, 2, SHAPE, 0).train.x.flatten(1)
        energy = float(x.double().square().sum(1).mean())
        assert energy == pytest.approx(float(values.sum() / values[0]), rel=0.02)


def test_a_few_eigenvectors_span_the_data():
    _, vectors = decaying(9, rank=3)
    x = Gaussian(partial(decaying, 9, 3)).draw(50, 2, SHAPE, 0).train.x.flatten(1).double()
    assert torch.allclose(x @ vectors @ vectors.T, x, atol=1e-5)


def test_labels_are_balanced_and_know_nothing():
    drawn = Gaussian(partial(decaying, 9)).draw(N, 100, SHAPE, 0)
    assert drawn.train.y.bincount().tolist() == [N // 2, N // 2]
    x = drawn.train.x.flatten(1)
    gap = x[drawn.train.y == 0].mean(0) - x[drawn.train.y == 1].mean(0)
    assert gap.abs().max() < 5 * (4 / N) ** 0.5


@pytest.mark.parametrize(
    ("law", "message"),
    [
        (Gaussian(), "none is given"),
        (Gaussian(partial(decaying, 9, 3), flip=True), "needs all 9 eigenvectors"),
        (Gaussian(lambda: (-decaying(9)[0].flip(0), decaying(9)[1])), "none below zero"),
        (Gaussian(partial(decaying, 16)), r"\(9, R\)"),
    ],
)
def test_a_geometry_that_is_no_covariance(law, message):
    with pytest.raises(DataError, match=message):
        law.draw(4, 4, SHAPE, 0)
