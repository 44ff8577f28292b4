from functools import partial

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from datamodules.errors import DataError
from datamodules.laws.plane import Plane, one_direction_accuracy
from tests.datamodules.laws.geometries import decaying

SHAPE = (1, 8, 8)


@given(st.floats(0.5, 5.0), st.floats(0.01, 0.4), st.floats(0.0, 2.0), st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_on_the_plane_each_class_has_its_radius(outer, inner, noise, seed):
    drawn = Plane(radii=(outer, inner), noise=noise).draw(40, 20, SHAPE, seed)
    for split in (drawn.train, drawn.test):
        on_plane = split.x.flatten(1).double() @ drawn.directions.T
        radius = on_plane.norm(dim=1)
        assert torch.allclose(radius[split.y == 0], torch.tensor(outer).double(), atol=1e-5)
        assert torch.allclose(radius[split.y == 1], torch.tensor(inner).double(), atol=1e-5)


def test_off_the_plane_there_is_isotropic_noise():
    drawn = Plane(noise=0.7).draw(20_000, 2, (1, 4, 4), 0)
    u = drawn.directions
    x = drawn.train.x.flatten(1).double()
    off = x - x @ u.T @ u
    covariance = off.T @ off / len(off)
    expected = 0.49 * (torch.eye(16).double() - u.T @ u)
    assert torch.allclose(covariance, expected, atol=5 * 0.49 * (2 / 20_000) ** 0.5)


def test_angles_are_uniform():
    drawn = Plane().draw(8000, 2, SHAPE, 0)
    point = drawn.train.x.flatten(1).double() @ drawn.directions.T
    turn = torch.atan2(point[:, 1], point[:, 0])
    for k in (1, 2, 3):  # Fourier coefficients of a uniform angle vanish
        assert abs(torch.exp(1j * k * turn).mean()) < 4 / 8000**0.5


@pytest.mark.parametrize("radii", [(6.0, 3.0), (1.0, 5.0), (4.0, 3.9)])
def test_no_cut_along_one_direction_beats_the_closed_form(radii):
    drawn = Plane(radii=radii).draw(20_000, 2, (1, 2, 2), 0)
    along = (drawn.train.x.flatten(1).double() @ drawn.directions[0]).abs()
    inner = drawn.train.y == (0 if radii[0] < radii[1] else 1)
    cuts = torch.linspace(0, max(radii), 400).double()
    accuracy = torch.stack([((along <= cut) == inner).double().mean() for cut in cuts])
    assert float(accuracy.max()) == pytest.approx(one_direction_accuracy(radii), abs=0.015)


def test_the_plane_is_that_of_the_eigenvectors_asked_for():
    geometry = partial(decaying, 64)
    u = Plane(u1=0, u2=-1, geometry=geometry).draw(4, 4, SHAPE, 0).directions
    _, vectors = decaying(64)
    assert torch.allclose(u, vectors[:, [0, -1]].T)


def test_draws_are_nested_in_n_and_apart_by_seed_and_part():
    small, large = (Plane().draw(n, 10, SHAPE, 0) for n in (20, 60))
    assert torch.equal(small.train.x, large.train.x[:20])
    assert torch.equal(small.test.x, large.test.x)
    assert not torch.equal(small.test.x, small.train.x[:10])
    assert not torch.equal(small.train.x, Plane().draw(20, 10, SHAPE, 1).train.x)


@pytest.mark.parametrize("radii", [(1.0,), (1.0, 1.0), (-1.0, 2.0), (1.0, 2.0, 3.0)])
def test_radii_that_cannot_tell_classes_apart(radii):
    with pytest.raises(DataError, match="two different radii"):
        Plane(radii=radii)


def test_one_direction_twice_is_no_plane():
    law = Plane(u1=3, u2=3, geometry=partial(decaying, 64))
    with pytest.raises(DataError, match="u2 lies in the span of u1"):
        law.draw(4, 4, SHAPE, 0)
