import numpy as np
import pytest

from datamodules.errors import DataError
from datamodules.subset import draw_subset
from datamodules.tasks.group import Group
from tests.datamodules.tasks.listings import ten_classes


def test_cifar2_has_animals_as_class_0_and_the_rest_as_class_1():
    listing = ten_classes()
    labels = Group([[2, 3, 4, 5, 6, 7]], names=["animal", "other"]).labels(listing, 0)
    assert labels.classes == ("animal", "other")
    assert len(labels.index) == len(listing)
    animals = np.isin(listing.labels, range(2, 8))
    assert np.array_equal(labels.y == 0, animals)


def test_named_groups_leave_other_classes_out():
    listing = ten_classes()
    labels = Group([["cat", "dog"], ["ship"]]).labels(listing, 0)
    assert labels.classes == ("cat+dog", "ship")
    assert set(listing.labels[labels.index]) == {3, 5, 8}
    assert set(listing.labels[labels.index][labels.y == 1]) == {8}


def test_a_subset_of_groups_is_balanced():
    labels = Group([[2, 3, 4, 5, 6, 7]]).labels(ten_classes(), 0)
    subset = draw_subset(labels, None, 20, seed=0)
    assert np.bincount(labels.y[subset.train[:40]]).tolist() == [20, 20]
    assert np.bincount(labels.y[subset.test]).tolist() == [10, 10]


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ([["cat", "dogg"], ["ship"]], "did you mean `dog`"),
        ([["cat"], ["cat", "dog"]], "`cat` is in two groups"),
        ([list(range(10))], "leave at least one out"),
        ([["cat"], []], "at least one class"),
        ([], "at least one class"),
    ],
)
def test_groups_that_make_no_task_are_named(groups, message):
    with pytest.raises(DataError, match=message):
        Group(groups).labels(ten_classes(), 0)


def test_as_many_names_as_groups():
    with pytest.raises(DataError, match="2 groups need as many names"):
        Group([[1, 2]], names=["a"])
