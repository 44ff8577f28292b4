"""A task turns a listing into labels, and may relabel after decoding."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from datamodules.errors import DataError
from datamodules.reader import Listing

if TYPE_CHECKING:  # images are chosen before a run starts, without torch
    from datamodules.split import Split


@dataclass(frozen=True)
class Labels:
    """The images of a listing that a task uses, and their labels."""

    index: np.ndarray  # (M,) positions in the listing
    y: np.ndarray  # (M,) int64 in 0..len(classes)-1
    classes: tuple[str, ...]
    balanced: bool = True  # equal numbers of every class in train and in test
    slip: bool = False  # balance labels without their images, as published: see `subset.slipped`


class Task(ABC):
    """Labels as a function of (listing, seed): the same for every model and every n.

    Args:
        noise: p; a fraction p of the training labels is redrawn, uniformly over the classes,
            so that p (1 - 1/C) of them are wrong.
        test_noise: corrupt the test labels too, as Brandao et al.'s code does.
    """

    def __init__(self, noise: float = 0.0, test_noise: bool = False) -> None:
        if not 0 <= noise <= 1:
            raise DataError(f"task.noise={noise}: must be a share of the labels, from 0 to 1.")
        self.noise = noise
        self.test_noise = test_noise

    @abstractmethod
    def labels(self, listing: Listing, seed: int) -> Labels:
        """Choose the images and their classes, without reading pixels."""

    def relabel(self, train: Split, test: Split, classes: int, seed: int) -> tuple[Split, Split]:
        """Change labels after images are decoded and transformed: `assign`, then label noise."""
        from datamodules.tasks.label_noise import corrupt_labels

        train, test = self.assign(train, test, seed)
        train = corrupt_labels(train, self.noise, classes, seed, "train")
        if self.test_noise:
            test = corrupt_labels(test, self.noise, classes, seed, "test")
        return train, test

    def assign(self, train: Split, test: Split, seed: int) -> tuple[Split, Split]:
        """Labels that need the pixels. By default those of `labels` stay."""
        return train, test
