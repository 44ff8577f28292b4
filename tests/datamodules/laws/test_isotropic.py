from functools import partial

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from datamodules.laws.isotropic import EPSILON, Isotropic
from tests.datamodules.laws.geometries import decaying

SHAPE = (1, 4, 4)
KINDS = ["linear", "quadratic", "sinusoidal"]


@given(st.sampled_from(KINDS), st.integers(1, 60), st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_exactly_half_of_the_training_labels_are_one(kind, half, seed):
    drawn = Isotropic(kind).draw(2 * half, 2, SHAPE, seed)
    assert drawn.train.y.sum() == half


@pytest.mark.parametrize("kind", KINDS)
def test_labels_are_a_function_of_the_coordinate_alone(kind):
    law = Isotropic(kind)
    drawn = law.draw(2000, 1000, SHAPE, 0)
    alpha = (drawn.train.x.flatten(1).double() @ drawn.directions[0]) / EPSILON[kind]
    value = {"linear": alpha, "quadratic": alpha**2, "sinusoidal": torch.sin(torch.pi * alpha)}
    ones, zeros = (value[kind][drawn.train.y == c] for c in (1, 0))
    assert ones.min() > zeros.max() - 1e-5
    assert 0.44 < drawn.test.y.float().mean() < 0.56  # cut at train's median


@pytest.mark.parametrize(
    ("kind", "epsilon"), [("linear", 0.9), ("quadratic", 2.0), ("sinusoidal", 2.1)]
)
def test_variance_is_epsilon_along_and_sigma_across(kind, epsilon):
    drawn = Isotropic(kind, direction=2, geometry=partial(decaying, 16), sigma=0.5).draw(
        20_000, 2, SHAPE, 0
    )
    u = decaying(16)[1][:, 2]
    x = drawn.train.x.flatten(1).double()
    expected = epsilon**2 * torch.outer(u, u) + 0.25 * (torch.eye(16) - torch.outer(u, u))
    assert torch.allclose(x.T @ x / len(x), expected, atol=5 * epsilon**2 * (2 / 20_000) ** 0.5)


def test_epsilon_can_be_given():
    drawn = Isotropic("sinusoidal", epsilon=5.0).draw(2000, 10, SHAPE, 0)
    along = drawn.train.x.flatten(1).double() @ drawn.directions[0]
    assert 4.7 < along.std() < 5.3


def test_the_same_seed_draws_the_same():
    a, b, c = (Isotropic().draw(10, 10, SHAPE, seed) for seed in (0, 0, 1))
    assert torch.equal(a.train.x, b.train.x)
    assert not torch.equal(a.train.x, c.train.x)
