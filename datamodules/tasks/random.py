"""Labels that are independent of the images."""

import numpy as np

from datamodules.errors import DataError
from datamodules.reader import Listing
from datamodules.tasks.task import Labels, Task
from records.seeds import seed_for


class Random(Task):
    """Every image gets a label by seed, in equal numbers; only memorising can fit them.

    Args:
        classes: C; None takes as many as the data set has.
    """

    def __init__(self, classes: int | None = 2) -> None:
        super().__init__()
        if classes is not None and classes < 2:
            raise DataError(f"task.classes={classes}: random labels need at least 2 classes.")
        self.classes = classes

    def labels(self, listing: Listing, seed: int) -> Labels:
        """A permutation of 0, 1, ..., C-1, 0, 1, ... over all images that have a class."""
        index = np.flatnonzero(listing.labels >= 0)
        count = self.classes or len(listing.classes)
        random = np.random.default_rng(seed_for(seed, "random labels"))
        y = random.permutation(np.arange(len(index)) % count)
        names = tuple(f"random {c}" for c in range(count))
        return Labels(index, y.astype(np.int64), names)
