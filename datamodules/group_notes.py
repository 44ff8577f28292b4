"""Notes on how a split treats patients, lesions or knees."""

import numpy as np

from datamodules.reader import Listing
from records.counted import counted

NONE_KNOWN = "no groups known: split by image"


def group_notes(
    listing: Listing, split: str, train: np.ndarray | None, test: np.ndarray | None
) -> tuple[str, ...]:
    """Sentences about groups that are not known, separate nothing, or are on both sides.

    `train` and `test` are the group numbers of the images, (n,); None without groups.

    >>> group_notes(Listing(np.zeros(2), ("a",), groups=np.array([7, 8])), "group", None, None)
    ('each of the 2 images is its own group, so groups separate nothing',)
    """
    if listing.groups is None:
        return (NONE_KNOWN,) if split == "group" else ()
    count = len(np.unique(listing.groups))
    if count == len(listing):
        return (f"each of the {count} images is its own group, so groups separate nothing",)
    if train is None or test is None:
        return ()
    both, share = len(np.intersect1d(train, test)), float(np.isin(test, train).mean())
    shared = f"{counted(both, 'group')} with images on both sides, {share:.0%} of the test images"
    return (f"{shared}; data.split=group keeps them apart",) if both else ()
