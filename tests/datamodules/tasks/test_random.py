import numpy as np
import pytest

from datamodules.errors import DataError
from datamodules.tasks.random import Random
from tests.datamodules.tasks.listings import ten_classes


@pytest.mark.parametrize(("classes", "count"), [(2, 2), (None, 10), (4, 4)])
def test_labels_come_in_equal_numbers(classes, count):
    labels = Random(classes).labels(ten_classes(), 0)
    assert len(labels.classes) == count
    assert np.bincount(labels.y).tolist() == [200 // count] * count


def test_labels_know_nothing_of_the_classes():
    listing = ten_classes(each=2000)
    y = Random(2).labels(listing, 0).y
    share = [y[listing.labels == c].mean() for c in range(10)]
    assert np.abs(np.array(share) - 0.5).max() < 5 * 0.5 / np.sqrt(2000)


def test_labels_depend_on_the_seed_alone():
    first, again, other = (Random().labels(ten_classes(), seed).y for seed in (0, 0, 1))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_one_class_is_no_task():
    with pytest.raises(DataError, match="at least 2"):
        Random(1)
