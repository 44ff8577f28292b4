"""Any set of images: a reader lists and decodes, a task labels, a seed orders, a cache keeps."""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import numpy as np
import torch

from datamodules.base import TensorDataModule
from datamodules.cache import ImageCache
from datamodules.errors import DataError
from datamodules.reader import Listing, Reader
from datamodules.resize import resize
from datamodules.spec import DataSpec
from datamodules.split import Split
from datamodules.subset import draw_subset
from datamodules.tasks.task import Labels, Task
from datamodules.transform import Transforms, apply_transforms


class ImageData(TensorDataModule):
    """Real images (or stand-ins for them) from disk.

    Args:
        name: what the data set is called in keys and figures.
        reader: makes the reader from its root folder.
        root: where the data set lies.
        domain: `natural`, `medical` or `synthetic`.
        size: pixels per side that images are resized to.
        channels: 1 (gray) or 3 (colour).
        test_n: test images, balanced; None: a quarter, at most 750.
        split: `group` keeps patients apart, `image` ignores them, `official` the publishers' own.
        antialias: average when shrinking.
        on_bad_file: `stop` at an unreadable image, or `skip` it, counted.
        standin: writes a generated data set in this one's format into a folder.
        default_task: what `task=default` means here.
        task: what the labels are.
        n: training images.
        seed: of the run.
        batch_size: over all processes.
        cache: folder of decoded images.
        use_standin: read generated images instead of `root`.
        transforms: applied to the decoded images, in order: crops, corruptions, projections.
    """

    def __init__(
        self,
        name: str,
        reader: Callable[..., Reader],
        task: Task,
        n: int,
        seed: int,
        batch_size: int,
        cache: Path,
        root: str | None = None,
        domain: Literal["natural", "medical", "synthetic"] = "natural",
        size: int = 224,
        channels: Literal[1, 3] = 1,
        test_n: int | None = 750,
        split: Literal["group", "image", "official"] = "group",
        antialias: bool = True,
        on_bad_file: Literal["stop", "skip"] = "stop",
        standin: Callable[..., None] | None = None,
        default_task: Literal["all", "pair"] = "all",
        use_standin: bool = False,
        transforms: Transforms = (),
    ) -> None:
        super().__init__(n, seed, batch_size)
        self.name, self.domain = name, domain
        self.task = task
        self.cache = Path(cache)
        self.root = Path(root).expanduser() if root else None
        self.size, self.channels, self.antialias = size, channels, antialias
        self.test_n, self.split, self.on_bad_file = test_n, split, on_bad_file
        self.use_standin = use_standin
        self.transforms = transforms
        self.standin = standin
        self.make_reader = reader

    def load(self) -> tuple[DataSpec, Split, Split]:
        """List, label, order, decode (or find decoded) and describe."""
        reader = self.make_reader(root=self.root)
        listing = reader.listing()
        labels = self.task.labels(listing, self.seed)
        subset = draw_subset(
            labels,
            None if listing.groups is None else listing.groups[labels.index],
            self.test_n,
            self.seed,
            self.split,
            None if listing.official_test is None else listing.official_test[labels.index],
        )
        if self.n > len(subset.train):
            raise DataError(self._too_few(labels, len(subset.train), len(subset.test)))
        train = self._split(reader, listing, labels, subset.train, self.n, "train")
        test = self._split(reader, listing, labels, subset.test, len(subset.test), "test")
        train, test = apply_transforms(self.transforms, train, test, self.seed)
        train, test = self.task.relabel(train, test, len(labels.classes), self.seed)
        return self._describe(listing, labels, train, test), train, test

    def _too_few(self, labels: Labels, pool: int, test: int) -> str:
        counts = np.bincount(labels.y, minlength=len(labels.classes))
        rarest = int(counts.argmin())
        return (
            f"n={self.n} asked of `{self.name}`, but only {pool} balanced training images are left "
            f"beside {test} for the test set (rarest class: {counts[rarest]} of "
            f"`{labels.classes[rarest]}`); use n<={pool}, or lower data.test_n."
        )

    def _split(
        self,
        reader: Reader,
        listing: Listing,
        labels: Labels,
        order: np.ndarray,
        n: int,
        part: str,
    ) -> Split:
        positions = labels.index[order]

        def decode(start: int, stop: int) -> Iterator[np.ndarray]:
            for position in positions[start:stop]:
                yield resize(reader.read(int(position)), self.size, self.channels, self.antialias)

        identity = {
            "data": self.name,
            "files": listing.fingerprint,
            "order": _digest(positions),
            "size": self.size,
            "antialias": self.antialias,
            "part": part,
        }
        cache = ImageCache(self.cache, identity, (self.channels, self.size, self.size))
        chosen = order[:n]
        groups = None
        if listing.groups is not None:
            _, number = np.unique(listing.groups, return_inverse=True)
            groups = torch.from_numpy(number[positions[:n]])
        return Split(
            x=torch.from_numpy(cache.rows(n, decode)),
            y=torch.from_numpy(labels.y[chosen].astype(np.int64)),
            source=torch.from_numpy(positions[:n].astype(np.int64)),
            group=groups,
        )

    def _describe(self, listing: Listing, labels: Labels, train: Split, test: Split) -> DataSpec:
        pixels = train.images().double()
        return DataSpec(
            name=self.name,
            domain=self.domain,
            channels=train.x.shape[1],
            size=train.x.shape[-1],
            classes=labels.classes,
            n=len(train),
            test_n=len(test),
            groups=None if train.group is None else len(train.group.unique()),
            mean=tuple(pixels.mean((0, 2, 3)).tolist()),
            std=tuple(pixels.std((0, 2, 3), correction=0).tolist()),
            value_range=None if train.x.is_floating_point() else (0.0, 1.0),
            standin=self.use_standin,
        )


def _digest(positions: np.ndarray) -> str:
    return hashlib.sha256(np.ascontiguousarray(positions).tobytes()).hexdigest()
