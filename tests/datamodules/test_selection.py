import numpy as np

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
