"""Problems of a set of images that make numbers measured on it unreliable."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from datamodules.scanned_images import PARTS, ScannedImages
from metrics.functional.label_sharpness import label_sharpness
from metrics.functional.near_copies import NEAR, near_copies
from records.counted import counted

LEVELS = 255.0  # of grey, the range of thumbnails
NEAR_LEVELS = LEVELS * NEAR  # nearly equal images are at most so far apart
LISTED = 50  # of every kind, in the page; the console shows the first
SHOWN = 3

Pair = tuple[int, int]


@dataclass(frozen=True)
class DataFindings:
    """Problems of the images; pairs are places in `images`."""

    images: ScannedImages
    mislabelled: Sequence[Pair]  # equal images with different labels
    repeated: int  # images beyond the first of equal ones
    leaked: Sequence[tuple[int, int, float]]  # test image, its nearest training image, distance
    mixed_groups: Sequence[str]  # groups with images of several labels
    closest: tuple[int, int, float] | None  # images of different labels, distance

    @property
    def leaked_share(self) -> float:
        """Of the test images, those with an equal or nearly equal training image."""
        return len(self.leaked) / max(1, int(np.sum(self.images.part == "test")))

    @property
    def classes(self) -> dict[str, tuple[int, ...]]:
        """By label: how many images are for training, for the test and unused."""
        counts = Counter(zip(self.images.labels, self.images.part.tolist(), strict=True))
        labels = sorted(set(self.images.labels))
        return {label: tuple(counts[label, part] for part in PARTS) for label in labels}

    def called(self, i: int) -> str:
        """Name and label of an image."""
        return f"{self.images.names[i]} ({self.images.labels[i]})"

    def lines(self) -> Iterator[str]:
        """One sentence per finding, with the first files."""
        counts = [f"{k} {' + '.join(map(str, own))}" for k, own in self.classes.items()]
        yield f"Images by class ({' + '.join(PARTS)}): {', '.join(counts) or 'none readable'}."
        if self.images.sizes:
            yield f"Sizes (height x width): {self._sizes()}."
        if self.images.unreadable:
            first = "; ".join(f"{name}: {why}" for name, why in self.images.unreadable[:SHOWN])
            count = counted(len(self.images.unreadable), "image")
            yield f"Unreadable: {count}: {self._more(first, self.images.unreadable)}"
        yield from self._pairs()
        if self.mixed_groups:
            first = self._more(", ".join(self.mixed_groups[:SHOWN]), self.mixed_groups)
            count = counted(len(self.mixed_groups), "group")
            yield f"With images of several labels: {count} ({first})."
        if absent := ", ".join(self._absent()):
            yield f"Not found: {absent}."

    def _absent(self) -> Iterator[str]:
        """The checks without a finding; if they were not listed, they could seem not made."""
        if not self.images.unreadable:
            yield "unreadable files"
        if not self.repeated:
            yield "equal images"
        if {"train", "test"} <= set(self.images.part.tolist()) and not self.leaked:
            yield "test images nearly equal to a training image"
        if self.images.groups is not None and not self.mixed_groups:
            yield "groups with several labels"

    def _pairs(self) -> Iterator[str]:
        called = self.called
        if self.mislabelled:
            first = "; ".join(f"{called(i)} and {called(j)}" for i, j in self.mislabelled[:SHOWN])
            count = counted(len(self.mislabelled), "pair")
            first = self._more(first, self.mislabelled)
            yield f"Equal images with different labels: {count}: {first}."
        if self.repeated:
            yield f"Copies of other images of the set: {counted(self.repeated, 'image')}."
        if self.leaked:
            first = "; ".join(f"{called(i)} is like {called(j)}" for i, j, _ in self.leaked[:SHOWN])
            yield (
                f"Leakage: {counted(len(self.leaked), 'test image')} ({self.leaked_share:.1%}) "
                f"equal or nearly equal to a training image: {self._more(first, self.leaked)}."
            )
        if self.closest:
            i, j, distance = self.closest
            yield (
                f"Closest images of different labels: {called(i)} and {called(j)}, {distance:.3g} "
                f"grey levels apart (root mean square at {self._side} pixels)."
            )

    @property
    def _side(self) -> int:
        return int(self.images.thumbnails.shape[-1])

    def _sizes(self) -> str:
        counts = Counter(self.images.sizes).most_common()
        shown = ", ".join(f"{h} x {w} ({count:,})" for (h, w), count in counts[:SHOWN])
        return shown + (f" and {len(counts) - SHOWN} others" if len(counts) > SHOWN else "")

    @staticmethod
    def _more(first: str, all_of_them: Sequence[object]) -> str:
        more = len(all_of_them) - SHOWN
        return first + (f"; and {more:,} more" if more > 0 else "")


def find_problems(images: ScannedImages) -> DataFindings:
    """Compare the images of a data set with each other.

    Equal images are equal in every pixel. Nearly equal ones differ by at most two grey levels (root
    mean square) as thumbnails; such a test image measures memory, not generalisation.

    Reading it: consecutive slices of one volume, frames of one video and blank images are found as
    nearly equal too: keep such images together with `group`.
    """
    by_digest: dict[str, list[int]] = defaultdict(list)
    for place, digest in enumerate(images.digests):
        by_digest[digest].append(place)
    several = [places for places in by_digest.values() if len(places) > 1]
    mislabelled = [
        (places[0], other)
        for places in several
        for other in places[1:]
        if images.labels[other] != images.labels[places[0]]
    ]
    return DataFindings(
        images=images,
        mislabelled=mislabelled,
        repeated=sum(len(places) - 1 for places in several),
        leaked=_leaked(images),
        mixed_groups=_mixed_groups(images),
        closest=_closest(images),
    )


def _leaked(images: ScannedImages) -> list[tuple[int, int, float]]:
    """Test images that are nearly equal to a training image, nearest first."""
    test, train = (np.flatnonzero(images.part == part) for part in ("test", "train"))
    x = torch.from_numpy(images.thumbnails)
    found = near_copies(x[torch.from_numpy(train)], x[torch.from_numpy(test)], LEVELS)
    pairs = [(int(test[i]), int(train[j]), distance) for i, j, distance in found]
    return sorted(pairs, key=lambda pair: pair[2])


def _mixed_groups(images: ScannedImages) -> list[str]:
    if images.groups is None:
        return []
    labels = defaultdict(set)
    for group, label in zip(images.groups, images.labels, strict=True):
        labels[group].add(label)
    return sorted(group for group, own in labels.items() if len(own) > 1)


def _closest(images: ScannedImages) -> tuple[int, int, float] | None:
    """The closest two images of different labels, by their thumbnails."""
    codes = np.unique(np.asarray(images.labels), return_inverse=True)[1]
    if len(codes) < 2 or codes.max() == 0:
        return None
    x = torch.from_numpy(images.thumbnails).flatten(1)
    i, j = label_sharpness(x, torch.from_numpy(codes), value_range=LEVELS).pair
    distance = float((x[i].double() - x[j].double()).norm()) / x.shape[1] ** 0.5
    return i, j, distance
