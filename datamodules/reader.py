"""Interface of readers: first a listing without pixels, then single images."""

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from datamodules.files import Files


@dataclass(frozen=True)
class Listing:
    """Every usable image of a data set, before any pixel is decoded.

    `findings` has additional labelings of the same images (RSNA's subtypes, CheXpert's columns); -1
    marks an image without a value for a finding.
    """

    labels: np.ndarray  # (N,) int64, indices into `classes`; -1: used by findings only
    classes: tuple[str, ...]
    names: tuple[str, ...] | None = None  # of each image in errors: file, slice, row
    groups: np.ndarray | None = None  # (N,) str or int: patient, lesion, knee
    official_test: np.ndarray | None = None  # (N,) bool, if the publishers have split it
    findings: dict[str, np.ndarray] = field(default_factory=dict)
    files: Files | None = None  # of the images; None: there are no files
    notes: tuple[str, ...] = ()  # what was left out, counted ("4 duplicate rows"), for the record
    warnings: tuple[str, ...] = ()  # also printed: images that may be missing by mistake
    # rules that read pixels of this set and that earlier versions did not have: part of its
    # fingerprint, so that a run under other rules is not taken for one of this version
    rules: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.labels)

    def name(self, i: int) -> str:
        """Name of image `i` in messages."""
        return self.names[i] if self.names else f"image {i}"

    def names_of(self, images: np.ndarray) -> dict[str, list[str]]:
        """`file`, below the root, and `group_name` of some images, as far as they are known.

        >>> from pathlib import Path
        >>> files = Files.of(Path("/x"), ["/x/a/1.png", "/x/b/2.png"])
        >>> listing = Listing(np.zeros(2), ("a",), groups=np.array(["p", "q"]), files=files)
        >>> listing.names_of(np.array([1]))
        {'file': ['b/2.png'], 'group_name': ['q']}
        """
        found = {}
        if self.files is not None:
            of = self.files.of_images(np.asarray(images)).tolist()
            found["file"] = [self.files.name(k) for k in of]
        if self.groups is not None:
            found["group_name"] = [str(group) for group in self.groups[images]]
        return found


class Reader(Protocol):
    """One data set as its users have it on disk. Built with its root folder and its own options."""

    def listing(self) -> Listing:
        """List the images; raises `DataNotFoundError` if the data do not exist."""
        ...

    def read(self, i: int) -> np.ndarray:
        """Decode image `i` of the listing: uint8, (H, W) or (H, W, 3); not resized."""
        ...
