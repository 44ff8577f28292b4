import numpy as np
import pytest

from datamodules.errors import DataError, TooFewImagesError
from datamodules.reader import Listing
from datamodules.selection import Choice, most_images, select
from datamodules.tasks.all import All


def test_official_test_images_that_are_not_used_are_noted():
    labels = np.arange(60) % 3 // 2  # 40 and 20
    listing = Listing(labels, ("a", "b"), official_test=np.arange(60) >= 30)
    choice = Choice(name="x", n=4, seed=0, split="official")
    some = select(listing, All(), Choice(**{**vars(choice), "test_n": 8}))
    assert len(some.subset.test) == 8
    assert some.notes == (
        "8 of the 30 official test images are used, by data.test_n and the balance of classes; "
        "data.test_n=null uses all",
    )
    assert some.rules == ()  # of named sets: their keys stay
    whole = select(listing, All(), Choice(**{**vars(choice), "test_n": None}))
    assert len(whole.subset.test) == 30
    assert whole.notes == ()


def test_missing_files_are_named_with_the_error_that_they_may_explain():
    listing = Listing(np.arange(60) % 2, ("a", "b"), warnings=("50 files are missing",))
    with pytest.raises(TooFewImagesError, match=r"n=90 requested(.|\n)*\n50 files are missing$"):
        select(listing, All(), Choice(name="x", n=90, seed=0, test_n=4))


def test_a_class_of_one_image_is_named_with_the_ways_out():
    listing = Listing(np.array([0] * 40 + [1] * 40 + [2]), ("a", "b", "c"), warnings=("odd set",))
    choice = Choice(name="x", n=1, seed=0, test_n=None)
    expected = r"`x`: 1 of 3 classes has one image \(`c`\); a balanced task (.|\n)*odd set$"
    with pytest.raises(TooFewImagesError, match=expected):
        select(listing, All(), choice)
    with pytest.raises(DataError, match=expected):
        most_images(listing, All(), choice)
    assert most_images(listing, All(balanced=False), choice) == 61


def test_images_that_balance_leaves_out_are_counted_where_all_others_are_used():
    listing = Listing(np.array([0] * 200 + [1] * 20), ("a", "b"))
    choice = Choice(name="x", n=30, seed=0, test_n=None)
    (note,) = select(listing, All(), choice).notes
    assert note == (
        "classes are balanced, so 180 of 220 images (rarest class: 20 of `b`) are not used; "
        "task=all task.balanced=false uses every image of every class"
    )
    assert select(listing, All(), Choice(**{**vars(choice), "n": 20})).notes == ()
    assert select(listing, All(balanced=False), Choice(**{**vars(choice), "n": 165})).notes == ()


def test_a_class_without_official_training_images_is_named():
    labels, is_test = np.arange(60) % 3, np.arange(60) >= 30
    listing = Listing(labels, ("a", "b", "c"), official_test=is_test | (labels == 2))
    choice = Choice(name="x", n=4, seed=0, split="official", test_n=None)
    with pytest.raises(DataError, match=r"no training image of 1 class \(`c`\), so a balanced"):
        most_images(listing, All(), choice)
    chosen = select(listing, All(balanced=False), choice)
    assert chosen.notes == (
        "data.split=official has no training image of 1 class (`c`), whose test images cannot be "
        "classified correctly",
    )


@pytest.mark.parametrize("groups", [None, np.arange(220) // 4])
@pytest.mark.parametrize("balanced", [True, False])
def test_the_test_set_that_is_proposed_leaves_images_for_training(groups, balanced):
    listing = Listing(np.array([0] * 200 + [1] * 20), ("a", "b"), groups=groups)
    choice = Choice(name="x", n=2, seed=0, test_n=750)
    with pytest.raises(DataError, match=r"set data\.test_n=\d+ or less") as caught:
        select(listing, All(balanced=balanced), choice)
    assert ("balanced test images" in str(caught.value)) == balanced
    proposed = int(str(caught.value).split("set data.test_n=")[1].split()[0])
    fewer = Choice(name="x", n=2, seed=0, test_n=proposed)
    assert most_images(listing, All(balanced=balanced), fewer) >= 20


def test_an_official_test_set_can_be_used_whole():
    listing = Listing(np.arange(60) % 2, ("a", "b"), official_test=np.arange(60) >= 30)
    with pytest.raises(DataError, match=r"set data\.test_n=30 or less"):
        select(listing, All(), Choice(name="x", n=2, seed=0, split="official"))
