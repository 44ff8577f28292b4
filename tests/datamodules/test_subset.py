import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datamodules.errors import DataError
from datamodules.subset import draw_subset
from datamodules.tasks.task import Labels


def labels(counts, balanced=True):
    y = np.repeat(np.arange(len(counts)), counts)
    return Labels(np.arange(len(y)), y, tuple(map(str, range(len(counts)))), balanced)


def test_the_same_seed_gives_the_same_images_another_seed_others():
    a, b, c = (draw_subset(labels([300, 300]), None, 100, seed) for seed in (0, 0, 1))
    assert np.array_equal(a.train, b.train)
    assert np.array_equal(a.test, b.test)
    assert not np.array_equal(a.train, c.train)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.integers(40, 120), min_size=2, max_size=4),
    st.integers(0, 2**31),
    st.booleans(),
)
def test_balanced_nested_disjoint_and_groups_apart(counts, seed, grouped):
    task = labels(counts)
    groups = np.random.default_rng(seed).integers(0, 30, len(task.y)) if grouped else None
    classes = len(counts)
    subset = draw_subset(task, groups, 4 * classes, seed)
    assert np.array_equal(np.bincount(task.y[subset.test], minlength=classes), [4] * classes)
    assert not set(subset.train) & set(subset.test)
    assert len(set(subset.train)) == len(subset.train)
    for n in range(classes, len(subset.train) + 1, classes):  # every prefix is balanced
        assert len(set(np.bincount(task.y[subset.train[:n]], minlength=classes))) == 1
    if groups is not None:
        assert not set(groups[subset.train]) & set(groups[subset.test])


def test_ignoring_groups_lets_them_leak_as_the_papers_do():
    groups = np.repeat(np.arange(60), 10)
    subset = draw_subset(labels([300, 300]), groups, 100, 0, split="image")
    assert set(groups[subset.train]) & set(groups[subset.test])


def test_official_tests_on_what_the_publishers_set_aside():
    official = np.arange(600) % 3 == 0
    subset = draw_subset(labels([300, 300]), None, 100, 0, "official", official)
    assert official[subset.test].all()
    assert not official[subset.train].any()


def test_too_small_a_set_says_what_can_be_had():
    with pytest.raises(DataError, match="data.test_n=20 or less"):
        draw_subset(labels([10, 300]), None, 750, 0)


def test_a_quarter_is_tested_by_default():
    assert len(draw_subset(labels([100, 100]), None, None, 0).test) == 50
