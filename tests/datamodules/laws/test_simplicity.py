from functools import partial

import pytest
import torch

from datamodules.errors import DataError
from datamodules.laws.simplicity import Simplicity
from tests.datamodules.laws.geometries import decaying

SHAPE = (1, 4, 4)
GEOMETRY = partial(decaying, 16)


def coordinates(split, drawn):
    return split.x.flatten(1).double() @ drawn.directions.T


def test_line_and_circle_both_tell_the_class():
    drawn = Simplicity(epsilon=0.5, radii=(3.0, 0.25)).draw(200, 100, SHAPE, 0)
    for split in (drawn.train, drawn.test):
        c = coordinates(split, drawn)
        assert torch.allclose(c[:, 0], split.y.double() - 0.5, atol=1e-5)
        radius = torch.where(split.y == 0, 3.0, 0.25).double()
        assert torch.allclose(c[:, 1:].norm(dim=1), radius, atol=1e-5)


def test_the_variants_lose_one_feature_and_nothing_else():
    drawn = Simplicity().draw(10, 100, SHAPE, 0)
    assert set(drawn.variants) == {"linear", "nonlinear"}
    whole = coordinates(drawn.test, drawn)
    linear, nonlinear = (coordinates(drawn.variants[k], drawn) for k in ("linear", "nonlinear"))
    assert torch.allclose(linear[:, 0], whole[:, 0], atol=1e-5)
    assert linear[:, 1:].abs().max() < 1e-5
    assert nonlinear[:, 0].abs().max() < 1e-5
    assert torch.allclose(nonlinear[:, 1:], whole[:, 1:], atol=1e-5)
    u = drawn.directions.float()
    rest = [
        s.x.flatten(1) - s.x.flatten(1) @ u.T @ u for s in (drawn.test, *drawn.variants.values())
    ]
    assert torch.allclose(rest[0], rest[1], atol=1e-5)
    assert torch.allclose(rest[0], rest[2], atol=1e-5)


def test_directions_come_in_the_order_line_circle_circle():
    law = Simplicity(u1=7, u2=0, u3=1, geometry=GEOMETRY)
    u = law.draw(4, 4, SHAPE, 0).directions
    assert torch.allclose(u, decaying(16)[1][:, [7, 0, 1]].T)


def test_a_line_inside_the_circles_plane_is_refused():
    with pytest.raises(DataError, match="u1 lies in the span of u2, u3"):
        Simplicity(u1=1, u2=0, u3=1, geometry=GEOMETRY).draw(4, 4, SHAPE, 0)
