import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from datamodules.errors import DataError
from datamodules.split import Split
from datamodules.tasks.all import All
from datamodules.tasks.label_noise import corrupt_labels


def labelled(n, classes=10):
    y = torch.arange(n) % classes
    return Split(torch.zeros(n, 1, 1, 1), y, y)


@given(st.floats(0.0, 1.0), st.integers(2, 12), st.integers(0, 1000))
@settings(max_examples=25, deadline=None)
def test_the_changed_fraction_is_p_less_a_share_of_one_in_c(p, classes, seed):
    n = 4000
    noisy = corrupt_labels(labelled(n, classes), p, classes, seed, "train")
    rate = p * (1 - 1 / classes)
    # 5 deviations: 25 examples of a two-sided tail of 6e-7 each
    assert abs(float(noisy.corrupted.float().mean()) - rate) <= 5 * math.sqrt(rate / n) + 1e-9


def test_nine_tenths_of_p_change_with_ten_classes():
    n, p = 20_000, 0.5
    changed = corrupt_labels(labelled(n), p, 10, 3, "train").corrupted.float().mean()
    assert abs(float(changed) - 0.9 * p) < 3 * math.sqrt(0.9 * p * (1 - 0.9 * p) / n)


def test_full_noise_is_uniform_and_independent_of_the_truth():
    n = 50_000
    noisy = corrupt_labels(labelled(n), 1.0, 10, 0, "train")
    table = torch.zeros(10, 10).index_put_((noisy.clean_y, noisy.y), torch.ones(n), accumulate=True)
    chi_squared = float(((table - n / 100) ** 2 / (n / 100)).sum())
    assert chi_squared < 160  # 81 degrees of freedom (columns and rows given): p < 1e-6


def test_the_same_seed_hits_the_same_images_and_larger_p_hits_more():
    a, b = (corrupt_labels(labelled(500), p, 10, 7, "train") for p in (0.3, 0.6))
    again = corrupt_labels(labelled(500), 0.3, 10, 7, "train")
    assert torch.equal(a.y, again.y)
    assert torch.equal(a.y[a.corrupted], b.y[a.corrupted])
    assert b.corrupted.sum() > a.corrupted.sum()


def test_a_smaller_n_has_the_first_labels_of_a_larger():
    small, large = (corrupt_labels(labelled(n), 0.5, 10, 0, "train") for n in (100, 300))
    assert torch.equal(small.y, large.y[:100])


def test_seeds_and_parts_are_hit_apart():
    base = corrupt_labels(labelled(500), 0.5, 10, 0, "train").y
    assert not torch.equal(base, corrupt_labels(labelled(500), 0.5, 10, 1, "train").y)
    assert not torch.equal(base, corrupt_labels(labelled(500), 0.5, 10, 0, "test").y)


def test_a_task_corrupts_train_and_leaves_test_alone_unless_told():
    train, test = labelled(300), labelled(100)
    noisy, clean = All(noise=1.0).relabel(train, test, 10, 0)
    assert noisy.corrupted.any()
    assert torch.equal(noisy.clean_y, train.y)
    assert torch.equal(clean.y, test.y)
    assert clean.clean_y is None
    _, both = All(noise=1.0, test_noise=True).relabel(train, test, 10, 0)
    assert both.corrupted.any()


def test_no_noise_changes_nothing():
    train, test = labelled(30), labelled(10)
    assert All().relabel(train, test, 10, 0) == (train, test)


@pytest.mark.parametrize("noise", [-0.1, 1.5])
def test_noise_is_a_fraction(noise):
    with pytest.raises(DataError, match=r"from 0 to 1"):
        All(noise=noise)
