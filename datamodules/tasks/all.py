"""Every class of the data set."""

import numpy as np

from datamodules.reader import Listing
from datamodules.tasks.task import Labels, Task


class All(Task):
    """All classes, balanced by default.

    Args:
        balanced: equal numbers per class; False takes images in the seeded order.
        noise, test_noise: see `Task`.
    """

    def __init__(self, balanced: bool = True, noise: float = 0.0, test_noise: bool = False) -> None:
        super().__init__(noise, test_noise)
        self.balanced = balanced

    def labels(self, listing: Listing, seed: int) -> Labels:
        """The listing's own labels."""
        index = np.flatnonzero(listing.labels >= 0)  # the others are used by findings only
        return Labels(index, listing.labels[index], listing.classes, self.balanced)
