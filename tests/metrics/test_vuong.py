import math

import powerlaw
import pytest
import torch

from metrics.functional.scaling_law import fit_scaling_law, gaussian_log_density
from metrics.functional.vuong import vuong_test
from tests.metrics.synthetic_records import draw_records
from tests.parity import agree


@pytest.mark.parity
def test_vuong_agrees_with_powerlaw():
    loss, n, d, k = draw_records(5).columns()
    laws = fit_scaling_law(loss, n, d, k), fit_scaling_law(loss, n, d)
    densities = [gaussian_log_density(law.residual) for law in laws]
    found = vuong_test(*densities)
    theirs = powerlaw.loglikelihood_ratio(
        *(density.numpy() for density in densities), normalized_ratio=True
    )
    agree(
        "vuong_test",
        "powerlaw.loglikelihood_ratio",
        found.z * math.sqrt(len(loss) / (len(loss) - 1)),
        theirs[0],
        rtol=1e-9,
        why="the same statistic but for n - 1; every point its own group",
    )


def test_vuong_counts_a_group_as_one_piece_of_evidence():
    a = torch.tensor([1.0, 2.0, 3.0, 0.5])
    once = vuong_test(a, torch.zeros(4))
    groups = torch.arange(4).repeat(9)
    many = vuong_test(a.repeat(9), torch.zeros(36), groups=groups)
    naive = vuong_test(a.repeat(9), torch.zeros(36))
    assert many.z == pytest.approx(once.z)
    assert naive.z == pytest.approx(3 * once.z * math.sqrt(35 / 36 * 4 / 3))


@pytest.mark.parametrize("clusters", [3, 5])
def test_equal_models_are_called_different_as_rarely_as_p_says(clusters):
    generator = torch.Generator().manual_seed(0)
    groups = torch.arange(clusters).repeat_interleave(6)
    found = 0
    for _ in range(400):
        shared = torch.randn(clusters, generator=generator)[groups]
        m = shared + 0.3 * torch.randn(len(groups), generator=generator)
        found += vuong_test(m, torch.zeros_like(m), groups=groups).p < 0.05
    assert found / 400 == pytest.approx(0.05, abs=0.03)


def test_two_groups_have_no_p():
    assert math.isnan(vuong_test(torch.tensor([1.0, 3.0]), torch.zeros(2)).p)


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([1.0, math.inf], [0.0, 0.0], "not finite"),
        ([1.0, 1.0, 1.0], [0.0, 0.0, 0.0], "nothing to compare"),
        ([1.0, 1.0], [0.0], "shapes"),
    ],
)
def test_bad_input_is_named(a, b, message):
    with pytest.raises(ValueError, match=message):
        vuong_test(torch.tensor(a), torch.tensor(b))
