import numpy as np
import pytest

from datamodules.errors import TooFewImagesError
from datamodules.reader import Listing
from datamodules.selection import Choice, select
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
