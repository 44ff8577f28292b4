"""A task turns a listing into labels, and may relabel once the pixels are there."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from datamodules.reader import Listing
from datamodules.split import Split


@dataclass(frozen=True)
class Labels:
    """Which images of a listing take part, and as what."""

    index: np.ndarray  # (M,) positions in the listing
    y: np.ndarray  # (M,) int64 in 0..len(classes)-1
    classes: tuple[str, ...]
    balanced: bool = True  # equal numbers of every class in train and in test


class Task(ABC):
    """Labels as a function of (listing, seed): the same for every model and every n."""

    @abstractmethod
    def labels(self, listing: Listing, seed: int) -> Labels:
        """Choose the images and their classes; no pixel is read for it."""

    def relabel(self, train: Split, test: Split, seed: int) -> tuple[Split, Split]:
        """Change labels after decoding (functions of the pixels, noise). By default nothing."""
        return train, test
