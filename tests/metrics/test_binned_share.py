import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from metrics.functional.binned_share import binned_share


def test_a_step_is_seen_where_it_is():
    by = torch.linspace(0, 1, 100)
    found = binned_share(by, by < 0.4, bins=5)
    assert found.share.tolist() == [1, 1, 0, 0, 0]
    assert found.counts.tolist() == [20] * 5
    assert found.centre.tolist() == sorted(found.centre.tolist())


def test_intervals_are_the_exact_ones():
    hits = torch.tensor([True] * 7 + [False] * 13)
    found = binned_share(torch.arange(20.0), hits, bins=1)
    exact = stats.binomtest(7, 20).proportion_ci(0.95, "exact")
    assert found.low.item() == pytest.approx(exact.low)
    assert found.high.item() == pytest.approx(exact.high)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 60), st.integers(1, 9), st.integers(0, 99))
def test_no_point_is_lost_and_order_does_not_matter(points, bins, seed):
    bins = min(bins, points)
    generator = torch.Generator().manual_seed(seed)
    by = torch.rand(points, generator=generator)
    hits = torch.rand(points, generator=generator) < 0.5
    found = binned_share(by, hits, bins)
    assert int(found.counts.sum()) == points
    assert float((found.share * found.counts).sum()) == pytest.approx(float(hits.sum()))
    assert (found.low <= found.share).all()
    assert (found.share <= found.high).all()
    order = torch.randperm(points, generator=generator)
    torch.testing.assert_close(binned_share(by[order], hits[order], bins).share, found.share)


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="bins=3 for 2 points"):
        binned_share(torch.rand(2), torch.tensor([True, False]), bins=3)
    with pytest.raises(ValueError, match="the first finite"):
        binned_share(torch.tensor([torch.nan]), torch.tensor([True]), bins=1)
