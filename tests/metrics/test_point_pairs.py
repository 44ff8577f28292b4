import pytest
import torch

from metrics.functional.geometry import Geometry
from metrics.functional.point_pairs import pair_norm, pair_product, pair_velocity


def rows(seed, count, d=12):
    return torch.randn(count, d, generator=torch.Generator().manual_seed(seed))


def test_pairs_of_a_point_with_itself_are_left_out():
    a, b = rows(0, 5), rows(1, 5)
    squares = (a.double() @ b.double().T).square()
    expected = (squares.sum() - squares.diagonal().sum()) / 20
    assert pair_product(a, b, points=5) == pytest.approx(float(expected))


def test_members_of_an_ensemble_share_their_points():
    a, b = rows(0, 6), rows(1, 6)  # two networks at three points
    squares = (a.double() @ b.double().T).square()
    point = torch.arange(6) % 3
    expected = squares[point[:, None] != point].mean()
    assert pair_product(a, b, points=3) == pytest.approx(float(expected))


def test_its_mean_over_points_is_that_of_the_whole_population():
    everyone = rows(2, 60) * torch.linspace(3, 0.1, 12)
    whole = Geometry.from_rows(everyone.repeat(50, 1), (1, 3, 4))
    draws = [everyone[torch.randperm(60, generator=torch.Generator().manual_seed(s))[:6]]
             for s in range(400)]  # fmt: skip
    plain = torch.tensor([Geometry.from_rows(one, (1, 3, 4)).norm ** 2 for one in draws])
    pairs = torch.tensor([pair_norm(one, 6) ** 2 for one in draws])
    assert abs(pairs.mean() / whole.norm**2 - 1) < 0.1
    assert plain.mean() / whole.norm**2 > 1.2


def test_one_point_has_no_other():
    a, b = rows(0, 3), rows(1, 3)
    expected = (a.double() @ b.double().T).square().mean()
    assert pair_product(a, b, points=1) == pytest.approx(float(expected))


def test_the_same_geometry_stands_still():
    assert pair_velocity(rows(0, 4), rows(0, 4), 4) == pytest.approx(0)


def test_rows_that_are_not_those_of_the_points_are_refused():
    with pytest.raises(ValueError, match="5 and 4 rows"):
        pair_product(rows(0, 5), rows(0, 4), 2)
    with pytest.raises(ValueError, match="different points"):
        pair_norm(torch.zeros(3, 4), 3)
