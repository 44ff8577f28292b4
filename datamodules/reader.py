"""How a data set on disk is read: first a listing without pixels, then single images."""

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np


@dataclass(frozen=True)
class Listing:
    """Every usable image of a data set, before any pixel is decoded.

    `findings` holds further labelings of the same images (RSNA's subtypes, CheXpert's columns);
    -1 marks an image that a finding says nothing about.
    """

    labels: np.ndarray  # (N,) int64, indices into `classes`; -1 takes part in findings only
    classes: tuple[str, ...]
    names: tuple[str, ...] | None = None  # what to call each image in an error: file, slice, row
    groups: np.ndarray | None = None  # (N,) str or int: patient, lesion, knee
    official_test: np.ndarray | None = None  # (N,) bool, where the publishers split it
    findings: dict[str, np.ndarray] = field(default_factory=dict)
    fingerprint: str = ""  # changes when the files do; part of the cache key
    notes: tuple[str, ...] = ()  # what was left out, counted ("4 duplicate rows"), for the record

    def __len__(self) -> int:
        return len(self.labels)

    def name(self, i: int) -> str:
        """What to call image `i` in a message."""
        return self.names[i] if self.names else f"image {i}"


class Reader(Protocol):
    """One data set as its users have it on disk. Built with its root folder and its own options."""

    def listing(self) -> Listing:
        """List the images; raises `DataNotFoundError` where the data is not there."""
        ...

    def read(self, i: int) -> np.ndarray:
        """Decode image `i` of the listing: uint8, (H, W) or (H, W, 3); not resized."""
        ...
