import math

import pytest
import torch
from torch import nn

from metrics.functional.geometry import Geometry
from metrics.functional.geometry_correlation import geometry_correlation
from metrics.functional.gsg_correlation import GSGCorrelation
from metrics.functional.initial_geometry import initial_geometry
from metrics.functional.initial_groups import GROUPS, initial_groups
from tests.coverage.cases_of_geometry import noisy_groups

SHAPE = (1, 4, 4)


def draw(seed, *shape):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def test_of_exact_groups_it_is_the_plain_correlation():
    g = Geometry.from_rows(draw(0, 40, 16), SHAPE)
    x, rows = draw(1, 20, 16), draw(2, 5, 16)
    seen = g.matvec(x).float().expand(8, 20, 16)
    now = Geometry.from_rows(rows, SHAPE)
    expected = geometry_correlation(now, g.sandwich(Geometry.from_rows(x, SHAPE)))
    found = GSGCorrelation(seen).estimate(rows, now.norm)
    assert found.value == pytest.approx(expected, rel=1e-5)
    assert found.high - found.low < 1e-4


def test_noise_in_g_does_not_lower_it_as_it_lowers_the_plain_one():
    plain, corrected = [], []
    for seed in range(20):
        groups, x, rows, truth = noisy_groups(seed, 96, 64, 8)
        norm = float((rows @ rows.T).square().mean().sqrt())
        corrected.append(GSGCorrelation(x @ groups).estimate(rows, norm).value / truth)
        mean = Geometry((1, 1, 96), matrix=groups.mean(0))
        gsg = mean.sandwich(Geometry.from_rows(x, (1, 1, 96)))
        plain.append(geometry_correlation(Geometry.from_rows(rows, (1, 1, 96)), gsg) / truth)
    assert sum(plain) / 20 < 0.9
    assert abs(sum(corrected) / 20 - 1) < 0.05


def test_too_few_groups_are_refused():
    with pytest.raises(ValueError, match="groups >= 6"):
        GSGCorrelation(draw(0, 5, 3, 4))


class Linear(nn.Sequential):
    """A network whose G_F is a multiple of I; `symmetries` are set by a test."""

    def __init__(self):
        super().__init__(nn.Flatten(), nn.Linear(16, 1))

    def reset_parameters(self):
        self[1].reset_parameters()


def test_groups_are_drawn_until_their_mean_is_exact_enough_or_all_are():
    few = initial_groups(Linear(), SHAPE, 4096, 4096, 1.0, "logit", error=0.3)
    assert len(few.groups) == GROUPS
    assert 0 < few.error <= 0.3
    many = initial_groups(Linear(), SHAPE, 4096, 4096, 1.0, "logit", error=0.02)
    assert many.error <= 0.02 < few.error
    all_of_them = initial_groups(Linear(), SHAPE, 16, 4096, 1.0, "logit", error=1e-6)
    assert all_of_them.error > 1e-6


def test_symmetries_of_the_law_are_averaged_over_by_default():
    network = Linear()
    raw = initial_groups(network, SHAPE, 64, 4096, 1.0, "logit")
    network.symmetries = ("pixels",)
    averaged = initial_groups(network, SHAPE, 64, 4096, 1.0, "logit")
    assert averaged.error < raw.error / 3
    one = averaged.groups[0].dense()
    assert torch.allclose(one, one[0, 0] * torch.eye(16, dtype=one.dtype))


def test_the_mean_over_groups_is_g_f():
    grouped = initial_groups(Linear(), SHAPE, 512, 4096, 1.0, "logit")
    known = initial_geometry(Linear(), SHAPE, 512, 4096, 1.0, "logit")
    assert geometry_correlation(grouped.mean(), known) > 0.98
    assert math.isclose(grouped.mean().error, grouped.error)
    x = draw(3, 7, 16)
    mean = grouped.applied(x).mean(0)
    assert torch.allclose(mean, grouped.mean().matvec(x).float(), atol=1e-5)
