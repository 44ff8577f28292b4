import math

import pytest
import torch
from scipy import stats

from metrics.functional.estimate import Estimate, normal_quantile
from tests.parity import agree


@pytest.mark.parity
def test_mean_interval_agrees_with_scipy():
    draws = torch.randn(25, generator=torch.Generator().manual_seed(0)).double()
    found = Estimate.of_mean(draws)
    low, high = stats.t.interval(0.95, 24, loc=draws.mean(), scale=stats.sem(draws))
    agree(
        "Estimate.of_mean",
        "scipy.stats.t.interval",
        [found.low, found.high],
        [low, high],
        rtol=1e-9,
        why="the same Student t quantile",
    )


def test_deviations_are_those_of_the_interval():
    z = stats.norm.ppf(0.975)
    assert Estimate(1.0, 1 - 2 * z, 1 + 2 * z).deviation == pytest.approx(2)
    assert Estimate(1.0, math.exp(-z / 2), math.exp(z / 2)).log_deviation == pytest.approx(0.5)
    assert normal_quantile(0.9) == pytest.approx(stats.norm.ppf(0.95))
    assert Estimate.of(3.0).deviation == 0


def test_resamples_give_a_percentile_interval_of_those_with_a_value():
    resamples = torch.cat([torch.arange(101.0), torch.tensor([torch.nan])])
    found = Estimate.of_resamples(50.0, resamples)
    assert (found.low, found.high) == pytest.approx((2.5, 97.5))
    infinite = Estimate.of_resamples(math.inf, torch.full((9,), torch.inf))
    assert (infinite.low, infinite.high) == (math.inf, math.inf)  # not NaN
    with pytest.raises(ValueError, match="only 1 of 3"):
        Estimate.of_resamples(0.0, torch.tensor([1.0, torch.nan, torch.nan]))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Estimate(0.0, 1.0, -1.0), "low first"),
        (lambda: Estimate.of(math.nan), "nan"),
        (lambda: Estimate(0.0, 0.0, 0.0, confidence=1.0), "confidence=1.0"),
        (lambda: Estimate.of_mean(torch.ones(1)), "at least 2"),
        (lambda: Estimate(1.0, 0.0, 2.0).log_deviation, "above 0"),
    ],
)
def test_bad_input_is_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()
