"""What is said about patients that a split does not keep apart."""

import numpy as np
import pytest

from datamodules.group_notes import NONE_KNOWN, group_notes
from datamodules.reader import Listing


def notes(groups, split, train=None, test=None):
    groups = None if groups is None else np.array(groups)
    listing = Listing(np.zeros(4, np.int64), ("a",), groups=groups)
    sides = (None if side is None else np.array(side) for side in (train, test))
    return group_notes(listing, split, *sides)


def test_unknown_groups_are_said_where_they_would_be_kept_apart():
    assert notes(None, "group") == (NONE_KNOWN,)
    assert notes(None, "image") == ()


def test_one_group_per_image_is_said():
    (note,) = notes(["p1", "p2", "p3", "p4"], "group", [0, 1], [2, 3])
    assert "each of the 4 images is its own group" in note


@pytest.mark.parametrize("split", ["image", "official"])
def test_groups_on_both_sides_are_counted(split):
    (note,) = notes(["p1", "p1", "p2", "p2"], split, [0, 1], [0, 1])
    assert "2 groups with images on both sides, 100% of the test images" in note
    assert notes(["p1", "p1", "p2", "p2"], split, [0, 0], [1, 1]) == ()
