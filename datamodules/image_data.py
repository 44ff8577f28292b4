"""Any set of images: a reader lists and decodes, a task labels, a seed orders, a cache stores."""

import hashlib
from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from typing import Literal

import numpy as np
import torch

from datamodules.base import TensorDataModule
from datamodules.cache import ImageCache
from datamodules.channel_statistics import channel_statistics
from datamodules.content import Contents
from datamodules.decode import ImageDecoder
from datamodules.errors import DataError
from datamodules.fingerprint import content_of_images, identify
from datamodules.group_notes import group_notes
from datamodules.identity import identity
from datamodules.open_reader import open_reader
from datamodules.reader import Listing, Reader
from datamodules.resize import per_image_max, resize
from datamodules.selection import Choice, Selection, select
from datamodules.spec import DataSpec
from datamodules.split import Split
from datamodules.standin import standin_folder
from datamodules.tasks.task import Labels, Task
from datamodules.transform import Transforms, apply_transforms
from records.counted import counted

GENERATED = 1  # seed of the stand-in for `extra`


class ImageData(TensorDataModule):
    """Real images (or stand-ins for them) from disk.

    Args:
        name: of the data set in keys and figures.
        reader: makes the reader from its root folder.
        root: folder of the data set.
        domain: `natural`, `medical` or `synthetic`.
        size: pixels per side that images are resized to.
        channels: 1 (gray) or 3 (colour).
        test_n: test images, balanced; None: a quarter, at most 750.
        split: `group` keeps patients apart, `image` ignores them, `official` the publishers' own.
        order: `seed` draws images by seed, nested in n; `file` takes the first in the listing's
            order and splits those, patients or not, as the published code does; an official `split`
            takes precedence.
        antialias: average when shrinking.
        per_image_max: stretch every image so that its brightest value is 255.
        on_bad_file: `stop` at an unreadable image, or `skip` to the next of its class, counted.
        standin: writes a generated data set in this one's format into a folder.
        default_task: what `task=default` means here.
        classes: number of classes, if known: n can then be checked before any file is read.
        flag: which of several published sets, for the reader.
        task: what the labels are.
        n: training images.
        seed: of the run.
        batch_size: over all processes.
        cache: folder of decoded images.
        use_standin: read generated images instead of `root`.
        transforms: applied to the decoded images, in order: crops, corruptions, projections.
        extra: a .npz file of additional (generated) training images, `image` and `label`. Its
            stand-in is another draw of the data set's own.
        extra_only: train on those alone.
        validation: share or number of the n images that are not trained on, apart by group.
        folds: parts of all images, by group; the test set is one of them. None: see `test_n`.
        fold: which, from 0.
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
        order: Literal["seed", "file"] = "seed",
        antialias: bool = True,
        per_image_max: bool = False,
        on_bad_file: Literal["stop", "skip"] = "stop",
        standin: Callable[..., None] | None = None,
        default_task: Literal["all", "pair"] = "all",
        classes: int | None = None,
        flag: str | None = None,
        use_standin: bool = False,
        transforms: Transforms = (),
        extra: str | None = None,
        extra_only: bool = False,
        validation: float | int | None = None,
        folds: int | None = None,
        fold: int | None = None,
    ) -> None:
        super().__init__(n, seed, batch_size, validation)
        self.keeps_groups = split != "image"
        self.choice = Choice(name, n, test_n, seed, split, order, folds, fold)
        self.name, self.domain = name, domain
        self.task = task
        self.cache = Path(cache).expanduser()
        self.root = Path(root).expanduser() if root else None
        self.size, self.channels = size, channels
        self.antialias, self.per_image_max = antialias, per_image_max
        self.split = split
        self.on_bad_file = on_bad_file
        self.use_standin = use_standin
        self.transforms = transforms
        self.extra, self.extra_only = extra, extra_only
        self.standin = standin
        self.make_reader = reader

    def load(self) -> tuple[DataSpec, Split, Split]:
        """List, label, order, decode (or find decoded) and describe."""
        reader = self.reader()
        listing = reader.listing()
        self.notes, self.image_names = listing.notes, listing.names
        chosen = select(listing, self.task, self.choice)
        labels, groups, subset = chosen.labels, chosen.groups, chosen.subset
        self.fingerprint = self._identify(listing, chosen)
        part = partial(self._split, reader, listing, labels, groups)
        # a test image that cannot be read is replaced from the far end of the training pool
        spare = subset.train[::-1] if self.split != "official" else subset.train[:0]
        test = part(subset.test, np.append(subset.test, spare), len(subset.test), "test")
        left = self._apart(subset.train, labels, groups, test)
        train = part(subset.train, left, self.n, "train")
        if self._identify(listing, chosen) != self.fingerprint:
            raise DataError(
                f"{self.root}: images changed while they were read; run the same command again."
            )
        sides = (None if one.group is None else one.group.numpy() for one in (train, test))
        self.warnings = group_notes(listing, self.split, *sides)
        train, test = apply_transforms(self.transforms, train, test, self.seed)
        train, test = self.task.relabel(train, test, len(labels.classes), self.seed)
        self.test_names = {} if self.use_standin else listing.names_of(test.source.numpy())
        return self._describe(listing, labels, train, test), train, test

    def reader(self) -> Reader:
        """Open the data set, or its stand-in, with the additional images."""
        extra: Reader | str | None = self.extra
        if self.extra is not None and self.use_standin:
            write = partial(self.standin, seed=GENERATED) if self.standin else None
            extra = self.make_reader(root=self._standin(write))
        root = self._standin(self.standin) if self.use_standin else self.root
        return open_reader(self.make_reader, root, self.split, extra, self.extra_only)

    def _identify(self, listing: Listing, chosen: Selection) -> str | None:
        """The fingerprint of what is read; None for generated images, which never change."""
        if self.use_standin:
            return None
        found = identify(listing, lambda: chosen, self.n, self._contents)
        return None if found is None else found.fingerprint

    @cached_property
    def _contents(self) -> Contents:
        return Contents(self.cache, self.root or Path())

    def _standin(self, write: Callable[..., None] | None) -> Path:
        if self.standin is None or write is None:
            raise DataError(f"standin=true: `{self.name}` has no stand-in; leave standin=false.")
        return standin_folder(self.cache, self.name, write)

    def _apart(
        self, pool: np.ndarray, labels: Labels, groups: np.ndarray | None, test: Split
    ) -> np.ndarray:
        """The training pool without the images that the test set took as replacements."""
        tested = np.isin(labels.index[pool], test.source.numpy())
        if tested.any() and self.split == "group" and groups is not None and test.group is not None:
            tested = np.isin(groups[labels.index[pool]], test.group.numpy())
        return pool[~tested]

    def _split(
        self,
        reader: Reader,
        listing: Listing,
        labels: Labels,
        groups: np.ndarray | None,
        rows: np.ndarray,
        candidates: np.ndarray,
        n: int,
        part: str,
    ) -> Split:
        positions, wanted = labels.index[candidates], labels.y[rows]
        decoder = ImageDecoder(
            reader,
            listing,
            wanted,
            positions,
            labels.y[candidates],
            self._prepare,
            skip=self.on_bad_file == "skip",
            title=f"decoding {self.name} ({part})",
        )
        key = {
            "data": self.name,
            "reader": identity(self.make_reader),
            "standin": self._standin(self.standin).name if self.use_standin else None,
            "extra": [bool(self.extra), self.extra_only],
            "order": _digest(positions),
            "classes": _digest(wanted),
            "antialias": self.antialias,
            "per_image_max": self.per_image_max,
            "on_bad_file": self.on_bad_file,
        }
        content = (
            None
            if listing.files is None or self.use_standin
            else partial(content_of_images, listing.files, self._contents)
        )
        cache = ImageCache(self.cache, key, (self.channels, self.size, self.size), content)
        cached = cache.rows(n, decoder)
        if len(cached.bad) and (names := decoder.passed_over(cached)):
            first = ", ".join(names[:3])
            images = counted(len(names), f"unreadable {part} image")
            self.notes += (f"{images} replaced (first: {first})",)
        source = torch.from_numpy(cached.source)
        return Split(
            x=torch.from_numpy(cached.pixels),
            y=torch.from_numpy(wanted[:n].astype(np.int64)),
            source=source,
            group=None if groups is None else torch.from_numpy(groups)[source],
        )

    def _prepare(self, image: np.ndarray) -> np.ndarray:
        image = per_image_max(image) if self.per_image_max else image
        return resize(image, self.size, self.channels, self.antialias)

    def _describe(self, listing: Listing, labels: Labels, train: Split, test: Split) -> DataSpec:
        mean, std = channel_statistics(train.x)
        return DataSpec(
            name=self.name,
            domain=self.domain,
            channels=train.x.shape[1],
            size=train.x.shape[-1],
            classes=labels.classes,
            n=len(train),
            test_n=len(test),
            groups=None if train.group is None else len(train.group.unique()),
            mean=mean,
            std=std,
            value_range=None if train.x.is_floating_point() else (0.0, 1.0),
            standin=self.use_standin,
        )


def _digest(numbers: np.ndarray) -> str:
    return hashlib.sha256(np.ascontiguousarray(numbers).tobytes()).hexdigest()
