import math

import powerlaw
import pytest
import torch
from torch.distributions import Normal

from metrics.functional.scaling_law import fit_scaling_law
from metrics.functional.vuong import vuong_test
from tests.metrics.synthetic_records import draw_records
from tests.parity import agree


@pytest.mark.parity
def test_vuong_agrees_with_powerlaw():
    loss, n, d, k = draw_records(5).columns()
    laws = fit_scaling_law(loss, n, d, k), fit_scaling_law(loss, n, d)
    densities = [Normal(0.0, law.deviation).log_prob(law.residual) for law in laws]
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
        why="the same statistic except for n - 1; every point its own group",
    )


def test_three_points_have_no_p():
    assert math.isnan(vuong_test(torch.tensor([1.0, 3.0, 2.0]), torch.zeros(3)).p)
    assert vuong_test(torch.arange(300.0), torch.zeros(300)).p < 0.05


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
