import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datamodules.errors import DataError
from datamodules.subset import (
    draw_fold,
    draw_subset,
    first_in_files,
    rules_of_official,
    rules_of_quarter,
    slipped,
)
from datamodules.tasks.task import Labels

Y = np.tile([0, 0, 1], 100)  # 200 of class 0, 100 of class 1


def labels(y=Y, balanced=True):
    return Labels(np.arange(len(y)), y, ("a", "b"), balanced)


@given(seed=st.integers(0, 2**31), test_n=st.sampled_from([2, 20, 60]))
@settings(max_examples=20, deadline=None)
def test_images_are_split_once_and_balanced(seed, test_n):
    subset = draw_subset(labels(), None, test_n, seed)
    assert len(subset.test) == test_n
    assert not set(subset.train) & set(subset.test)
    assert Y[subset.test].mean() == 0.5
    for n in (2, 10, 40):  # every nested subset of even size is balanced
        assert Y[subset.train[:n]].mean() == 0.5


@given(seed=st.integers(0, 2**31))
@settings(max_examples=20, deadline=None)
def test_groups_are_kept_apart(seed):
    groups = np.arange(300) // 7
    subset = draw_subset(labels(), groups, 40, seed)
    assert not set(groups[subset.train]) & set(groups[subset.test])
    assert Y[subset.test].mean() == 0.5


def test_the_seed_decides():
    one, same, other = (draw_subset(labels(), None, 40, seed) for seed in (1, 1, 2))
    assert (one.train == same.train).all()
    assert set(one.test) == set(same.test) != set(other.test)


def test_the_official_test_set_is_kept():
    official = np.arange(300) >= 200
    subset = draw_subset(labels(), None, 40, 0, "official", official)
    assert official[subset.test].all()
    assert not official[subset.train].any()
    with pytest.raises(DataError, match="no official test set"):
        draw_subset(labels(), None, 40, 0, "official")


def test_too_large_a_test_set_says_what_can_be_had():
    with pytest.raises(DataError, match=r"data\.test_n=400: only 200"):
        draw_subset(labels(), None, 400, 0)


def test_file_order_takes_the_first_of_each_class():
    subset = first_in_files(labels(), n=30, test_n=10, seed=0)
    pool = np.sort(np.concatenate([subset.train, subset.test]))
    expected = np.concatenate([np.flatnonzero(c == Y)[:20] for c in (0, 1)])
    assert pool.tolist() == np.sort(expected).tolist()
    assert (len(subset.train), len(subset.test)) == (30, 10)
    with pytest.raises(DataError, match="need 150 images of each class; the rarest has 100"):
        first_in_files(labels(), n=290, test_n=10, seed=0)


def test_slipped_labels_keep_their_counts_and_lose_their_images():
    found = slipped(labels(np.array([0, 0, 0, 1, 0, 1, 1])), total=4)  # kept: 0 0 . 1 . 1 .
    assert found.y.tolist() == [0, 0, 1, 1]
    assert found.index.tolist() == [0, 1, 2, 3]  # the third image is of class 0
    assert slipped(labels(np.tile([0, 1], 9)), total=8).y.tolist() == [0, 1] * 4


def test_slipped_labels_of_svhn_are_wrong_in_a_tenth_of_the_cases():
    counts = {1: 13861, 8: 5045}  # of SVHN's most unequal likely pair
    y = np.random.default_rng(0).permutation(np.repeat([0, 1], list(counts.values())))
    found = slipped(labels(y), total=2500)
    assert (found.y != y[:2500]).mean() == pytest.approx(0.23, abs=0.05)


@pytest.mark.parametrize("grouped", [False, True])
def test_every_image_is_in_the_test_set_of_one_fold(grouped):
    groups = np.arange(300) // 6 if grouped else None
    subsets = [draw_fold(labels(balanced=False), groups, 5, fold, seed=3) for fold in range(5)]
    assert sorted(np.concatenate([subset.test for subset in subsets])) == list(range(300))
    for subset in subsets:
        assert sorted({*subset.train, *subset.test}) == list(range(300))
        assert 48 <= len(subset.test) <= 72
        if groups is not None:
            assert not set(groups[subset.train]) & set(groups[subset.test])


def test_folds_of_a_balanced_task_are_balanced():
    subsets = [draw_fold(labels(), None, 4, fold, seed=0) for fold in range(4)]
    assert sum(len(subset.test) for subset in subsets) == 200  # twice the rarer class
    for subset in subsets:
        assert Y[subset.test].mean() == 0.5
        assert Y[subset.train[:10]].mean() == 0.5


def test_more_folds_than_groups_are_refused():
    with pytest.raises(DataError, match="folds=7: there are not enough groups"):
        draw_fold(labels(), np.arange(300) // 100, 7, 0, seed=0)


def counts(*numbers, balanced=True):
    y = np.repeat(np.arange(len(numbers)), numbers)
    return Labels(np.arange(len(y)), y, tuple("abcdefgh"[: len(numbers)]), balanced)


@pytest.mark.parametrize(
    ("numbers", "test", "train"),
    [
        ((180, 20), 10, 30),
        ((800, 200), 100, 300),
        ((300, 50, 40), 30, 90),
        ((5000, 4000), 750, 7250),  # balance leaves out little: a quarter of all, as before
        ((178, 182), 90, 266),
        ((5, 1), 2, 0),
    ],
)
def test_a_quarter_of_what_balance_keeps_is_tested_on(numbers, test, train):
    subset = draw_subset(counts(*numbers), None, None, 0)
    assert (len(subset.test), len(subset.train)) == (test, train)


def test_a_quarter_of_all_images_where_classes_are_not_balanced():
    assert len(draw_subset(counts(180, 20, balanced=False), None, None, 0).test) == 50


def test_the_rule_is_named_where_it_differs_from_the_former_one():
    assert rules_of_quarter(counts(800, 200)) == ("test_n: a quarter of what balance keeps",)
    for labels in (counts(178, 182), counts(800, 200, balanced=False), counts(9000, 5000)):
        assert rules_of_quarter(labels) == ()


def test_errors_on_uneven_classes_say_how_to_use_all_images():
    way = r"task=all task\.balanced=false uses every image"
    with pytest.raises(
        DataError, match=rf"only 40 balanced .* 20 of `b`.*test_n=10 or less.*{way}"
    ):
        draw_subset(counts(180, 20), None, 50, 0)
    with pytest.raises(DataError, match=r"or add images\.$"):
        draw_subset(counts(100, 100), None, 500, 0)


def test_a_small_official_test_set_is_used_whole():
    official = np.arange(300) >= 276
    subset = draw_subset(labels(), None, None, 0, "official", official)
    assert sorted(Y[subset.test]) == [0] * 16 + [1] * 8
    with pytest.raises(DataError, match=r"test_n=40: only 16"):
        draw_subset(labels(), None, 40, 0, "official", official)
    with pytest.raises(DataError, match="only 0 balanced test images"):
        draw_subset(labels(), None, None, 0, "official", np.zeros(300, bool))


@pytest.mark.parametrize("grouped", [False, True])
def test_the_first_classes_get_the_rest_of_an_uneven_test_set(grouped):
    groups = np.arange(600) // 3 if grouped else None
    y = np.arange(600) % 3
    task = Labels(np.arange(600), y, ("a", "b", "c"))
    subset = draw_subset(task, groups, 100, 0)
    assert np.bincount(y[subset.test]).tolist() == [34, 33, 33]
    assert len(set(subset.test)) == 100
    if groups is not None:
        assert not set(groups[subset.train]) & set(groups[subset.test])


def test_every_official_test_image_is_used_and_only_training_is_balanced():
    official = np.arange(300) >= 150  # 100 of class 0, 50 of class 1
    subset = draw_subset(labels(), None, None, 0, "official", official)
    assert sorted(subset.test.tolist()) == np.flatnonzero(official).tolist()
    assert np.bincount(Y[subset.train]).tolist() == [50, 50]
    assert rules_of_official(labels(), official) == ("test_n: the whole official test set",)


def test_a_balanced_official_test_set_keeps_its_order_and_has_no_new_rule():
    official = np.isin(np.arange(300), np.append(np.flatnonzero(Y == 1)[:20], np.arange(0, 60, 3)))
    whole = draw_subset(labels(), None, None, 0, "official", official).test
    before = draw_subset(labels(), None, 40, 0, "official", official).test
    np.testing.assert_array_equal(whole, before)
    assert rules_of_official(labels(), official) == ()
