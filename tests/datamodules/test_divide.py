import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datamodules.divide import divide, held_out
from datamodules.errors import DataError


@given(seed=st.integers(0, 2**31), share=st.floats(0.1, 0.5))
@settings(max_examples=30, deadline=None)
def test_single_images_are_divided_in_proportion(seed, share):
    y = np.arange(300) % 3
    chosen = held_out(y, None, share, seed)
    assert abs(chosen.sum() - 300 * share) <= 3
    assert np.ptp(np.bincount(y[chosen])) <= 2


@given(seed=st.integers(0, 2**31), folds=st.integers(2, 6))
@settings(max_examples=30, deadline=None)
def test_groups_stay_whole_and_parts_differ_by_little(seed, folds):
    groups = np.arange(600) // 5
    y = (groups % 3 == 0).astype(np.int64)
    part = divide(y, groups, [1 / folds] * folds, seed)
    assert all(len(set(part[groups == g].tolist())) == 1 for g in range(120))
    assert np.ptp(np.bincount(part, minlength=folds)) <= 10  # two groups
    shares = [y[part == number].mean() for number in range(folds)]
    assert max(shares) - min(shares) < 0.1


def test_large_groups_do_not_all_stay_on_one_side():
    groups = np.repeat(np.arange(12), [50] * 6 + [2] * 6)
    sides = [held_out(np.zeros(312, np.int64), groups, 0.3, seed) for seed in range(5)]
    for chosen in sides:
        assert {50, 2} <= set(np.bincount(groups[~chosen]).tolist())
        assert 50 in np.bincount(groups[chosen])


def test_the_seed_decides():
    y = np.zeros(40, np.int64)
    one, same, other = (held_out(y, None, 10, seed) for seed in (1, 1, 2))
    assert (one == same).all()
    assert one.sum() == other.sum() == 10
    assert (one != other).any()


@pytest.mark.parametrize("validation", [0, 0.0, 1.0, 40, -3, float("nan")])
def test_an_impossible_share_is_refused(validation):
    with pytest.raises(DataError, match="between 0 and 1, or a number of images below n=40"):
        held_out(np.zeros(40, np.int64), None, validation, 0)


def test_one_group_cannot_be_divided():
    with pytest.raises(DataError, match="1 groups cannot be divided this way"):
        held_out(np.zeros(40, np.int64), np.zeros(40), 0.2, 0)
