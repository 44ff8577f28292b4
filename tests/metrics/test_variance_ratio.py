import math

import pytest
import torch
from scipy import stats

from metrics.functional.clusters import clusters_of
from metrics.functional.variance_ratio import variance_ratio


def pairs(seed: int, count: int = 6):
    return torch.randn(2, count, generator=torch.Generator().manual_seed(seed)).double()


def test_p_is_that_of_the_correlation_of_sum_and_difference():
    a, b = pairs(0)
    found = variance_ratio(a, b, clusters_of(None, 6))
    assert found.p == pytest.approx(stats.pearsonr(b - a, b + a).pvalue)
    assert found.ratio.value == pytest.approx(float(b.var() / a.var()))


def test_the_ends_of_the_interval_are_the_ratios_that_are_just_not_rejected():
    a, b = pairs(1)
    found = variance_ratio(a, b, clusters_of(None, 6))
    for end in (found.ratio.low, found.ratio.high):
        assert variance_ratio(math.sqrt(end) * a, b, clusters_of(None, 6)).p == pytest.approx(0.05)


def test_three_pairs_have_neither_interval_nor_p():
    found = variance_ratio(*pairs(2, 3), clusters_of(None, 3))
    assert not found.ratio.known
    assert math.isnan(found.p)


def test_equal_values_are_refused():
    a, _ = pairs(3)
    with pytest.raises(ValueError, match="differ by a constant"):
        variance_ratio(a, a + 1, clusters_of(None, 6))
