import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from datamodules.readers.slice_rules import apart, followed

volumes = st.lists(st.booleans(), min_size=1, max_size=60).map(np.array)


def test_reference_rule_on_one_tumour():
    positive = np.zeros(60, bool)
    positive[20:40] = True
    keep = followed(positive)
    kept_positive = np.flatnonzero(keep & positive)
    kept_negative = np.flatnonzero(keep & ~positive)
    assert kept_positive.tolist() == list(range(20, 31))  # the last nine tumour slices are dropped
    assert kept_negative[kept_negative < 20].max() == 10  # gap of exactly 10 below ...
    assert kept_negative[kept_negative > 30].min() == 40  # ... and above, directly at the tumour


def test_reference_rule_does_not_filter_the_last_ten():
    positive = np.zeros(30, bool)
    positive[25:28] = True
    assert followed(positive)[20:].all()
    assert not followed(positive)[16:20].any()


def test_paper_rule_on_one_tumour():
    positive = np.zeros(30, bool)
    positive[10:20] = True
    assert np.flatnonzero(~apart(positive, gap=5)).tolist() == [6, 7, 8, 9, 20, 21, 22, 23]


def test_paper_rule_keeps_all_of_a_healthy_volume():
    assert apart(np.zeros(7, bool)).all()


@given(volumes, st.integers(1, 12))
def test_paper_rule_is_the_distance_rule(positive, gap):
    keep = apart(positive, gap)
    for s in range(len(positive)):
        near = positive[max(0, s - gap + 1) : s + gap].any()
        assert keep[s] == (positive[s] or not near)


@given(volumes)
def test_reference_rule_is_the_run_rule(positive):
    keep = followed(positive)
    for s in range(len(positive)):
        run = positive[s : s + 10]
        assert keep[s] == (s >= len(positive) - 10 or len(set(run.tolist())) == 1)
