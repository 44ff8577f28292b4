import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.linear_model import LinearRegression

from metrics.functional.correlation import correlation
from tests.parity import agree

DOMAINS = ["medical"] * 42 + ["natural"] * 24
GROUPS = torch.arange(11).repeat_interleave(6)


def draw(seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Sharpness and penalty of 11 data sets at 6 sizes: a gap between domains, a fall in them."""
    generator = torch.Generator().manual_seed(seed)
    gap = 4 * torch.tensor([name == "medical" for name in DOMAINS]).double()
    dataset = torch.randn(11, generator=generator, dtype=torch.float64)[GROUPS]
    noise = torch.randn(2, 66, generator=generator, dtype=torch.float64)
    return gap + dataset + 0.3 * noise[0], gap - dataset + 0.3 * noise[1]


def test_gap_between_domains_is_told_from_a_trend_within():
    x, y = draw(0)
    found = correlation(x, y, groups=GROUPS, domains=DOMAINS)
    assert found.pooled.value > 0.5
    assert found.averaged.value > 0.5
    assert found.partial.high < -0.5
    assert all(r.value < -0.5 for r in found.within.values())
    assert (found.points, found.clusters, found.undefined) == (66, 11, ())


@pytest.mark.parity
def test_pooled_within_and_averaged_agree_with_scipy():
    x, y = draw(1)
    found = correlation(x, y, groups=GROUPS, domains=DOMAINS)
    medical = torch.tensor([name == "medical" for name in DOMAINS])
    means = [values.reshape(11, 6).mean(1) for values in (x, y)]
    agree(
        "correlation",
        "scipy.stats.pearsonr",
        [
            found.pooled.value,
            found.within["medical"].value,
            found.within["natural"].value,
            found.averaged.value,
        ],
        [
            stats.pearsonr(x, y)[0],
            stats.pearsonr(x[medical], y[medical])[0],
            stats.pearsonr(x[~medical], y[~medical])[0],
            stats.pearsonr(*means)[0],
        ],
        rtol=1e-10,
        why="the same sums",
    )


@pytest.mark.parity
def test_partial_agrees_with_regressing_out_the_domain():
    x, y = draw(2)
    dummy = np.array([[name == "medical"] for name in DOMAINS], dtype=float)
    residuals = [
        values.numpy() - LinearRegression().fit(dummy, values).predict(dummy) for values in (x, y)
    ]
    agree(
        "correlation (partial)",
        "sklearn.linear_model.LinearRegression",
        correlation(x, y, domains=DOMAINS).partial.value,
        stats.pearsonr(*residuals)[0],
        rtol=1e-10,
        why="domain means are the regression on the domain",
    )


def test_interval_of_independent_pairs_is_scipys():
    x, y = (values[::6] for values in draw(3))  # one point a data set
    found, theirs = correlation(x, y).pooled, stats.pearsonr(x, y).confidence_interval()
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high))


def test_an_adjusted_correlation_loses_a_degree_of_freedom_for_a_further_domain():
    x, y = (values[::6] for values in draw(3))
    found = correlation(x, y, domains=DOMAINS[::6]).partial
    reach = 1.959964 / math.sqrt(11 - 1 - 3)
    assert found.high == pytest.approx(math.tanh(math.atanh(found.value) + reach))


def test_one_data_set_has_no_interval():
    x, y = draw(0)
    assert not correlation(x, y, groups=torch.zeros(66)).pooled.known


def test_clusters_make_the_interval_wider_than_points():
    x, y = draw(4)
    clustered, naive = correlation(x, y, groups=GROUPS).pooled, correlation(x, y).pooled
    assert clustered.value == naive.value
    assert clustered.high - clustered.low > 1.5 * (naive.high - naive.low)


@given(st.integers(0, 1000), st.floats(0.01, 100), st.floats(-1e4, 1e4))
@settings(max_examples=20, deadline=None)
def test_shift_scale_sign_and_order_rules(seed, scale, shift):
    x, y = draw(seed)
    plain = correlation(x, y, GROUPS, DOMAINS)
    moved = correlation(scale * x + shift, -y, GROUPS, DOMAINS)
    assert moved.pooled.value == pytest.approx(-plain.pooled.value, abs=1e-6)
    assert moved.partial.low == pytest.approx(-plain.partial.high, abs=1e-6)
    back = correlation(x.flip(0), y.flip(0), GROUPS.flip(0), DOMAINS[::-1])
    assert back.pooled.value == pytest.approx(plain.pooled.value)
    assert back.within["natural"].value == pytest.approx(plain.within["natural"].value)
    swapped = correlation(y, x, GROUPS, DOMAINS)
    assert swapped.scalars() == pytest.approx(plain.scalars(), nan_ok=True)


def test_domain_that_does_not_vary_is_listed_not_invented():
    x, y = draw(5)
    domains = ["skin" if name == "natural" else name for name in DOMAINS]
    x = x.where(torch.tensor([name == "medical" for name in DOMAINS]), 0.1)
    found = correlation(x, y, GROUPS, domains)
    assert found.undefined == ("skin",)
    assert set(found.within) == {"medical"}
    assert found.partial is not None


@pytest.mark.parametrize("first", [8, 9, 10])
def test_domain_of_up_to_three_data_sets_has_no_interval(first):
    x, y = draw(6)
    x = x.reshape(11, 6).mean(1)[GROUPS]  # constant in a data set, as label sharpness is
    x[-1] += 0.1
    domains = ["skin" if group >= first else "other" for group in GROUPS]
    found = correlation(x, y, GROUPS, domains)
    assert not found.within["skin"].known
    assert -1 < found.within["skin"].value < 1
    assert found.within["other"].low > -1


def test_large_mean_does_not_cost_digits():
    x, y = draw(7)
    assert correlation(x + 1e7, y + 1e7).pooled.value == pytest.approx(
        correlation(x, y).pooled.value, abs=1e-8
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda x, y: {"x": x[:-1]}, "need"),
        (lambda x, y: {"x": x[:2], "y": y[:2]}, "at least 3"),
        (lambda x, y: {"x": x * math.nan}, "NaN"),
        (lambda x, y: {"x": torch.full_like(x, 0.1)}, "constant"),
        (lambda x, y: {"groups": GROUPS, "domains": ["a", "b"] * 33}, "two domains"),
        (lambda x, y: {"domains": ["a"]}, "1 cluster labels for 66"),
    ],
)
def test_bad_input_is_named(change, message):
    x, y = draw(0)
    with pytest.raises(ValueError, match=message):
        correlation(**({"x": x, "y": y} | change(x, y)))
