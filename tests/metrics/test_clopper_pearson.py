import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from metrics.functional.clopper_pearson import clopper_pearson_lower
from tests.parity import agree


def test_bound_is_too_high_no_more_often_than_alpha():
    # Exact, by summing the binomial law: P(p_low(k) > p) over k.
    trials, alpha = 200, 0.05
    hits = torch.arange(trials + 1)
    low = clopper_pearson_lower(hits, trials, alpha)
    for p in (0.05, 0.5, 0.87, 0.99):
        weight = torch.tensor(stats.binom.pmf(hits.numpy(), trials, p))
        assert weight[low > p].sum() <= alpha


@pytest.mark.parity
def test_clopper_pearson_agrees_with_scipy():
    hits = [0, 1, 17, 500, 903, 999, 1000]
    exact = [
        stats.binomtest(k, 1000, alternative="greater").proportion_ci(0.999, "exact").low
        for k in hits
    ]
    agree(
        "clopper_pearson_lower",
        "scipy.stats.binomtest.proportion_ci",
        clopper_pearson_lower(torch.tensor(hits), 1000, 0.001),
        exact,
        rtol=1e-9,
        why="the same beta quantile, by its inverse instead of a root search",
    )


@given(st.integers(1, 1000), st.integers(0, 1000), st.floats(1e-6, 0.5))
@settings(max_examples=50, deadline=None)
def test_bound_lies_below_the_share_and_rises_with_hits(trials, hits, alpha):
    hits = min(hits, trials)
    pair = torch.tensor([max(hits - 1, 0), hits])
    low = clopper_pearson_lower(pair, trials, alpha)
    assert low[1] <= hits / trials + 1e-12
    assert low[0] <= low[1]


@pytest.mark.parametrize(("hits", "alpha"), [(5, 0.1), (-1, 0.1), (1, 0.0), (1, 1.0)])
def test_bad_input_is_named(hits, alpha):
    with pytest.raises(ValueError, match="must lie in"):
        clopper_pearson_lower(torch.tensor([hits]), 4, alpha)
