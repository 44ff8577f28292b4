"""Any set of images: a reader lists and decodes, a task labels, a seed orders, a cache keeps."""

import hashlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np
import torch

from datamodules.base import TensorDataModule
from datamodules.cache import ImageCache
from datamodules.channel_statistics import channel_statistics
from datamodules.decode import ImageDecoder
from datamodules.errors import DataError
from datamodules.extended import Extended
from datamodules.identity import identity
from datamodules.reader import Listing, Reader
from datamodules.readers.npz import Npz
from datamodules.resize import per_image_max, resize
from datamodules.spec import DataSpec
from datamodules.split import Split
from datamodules.standin import standin_folder
from datamodules.subset import draw_subset, first_in_files, slipped
from datamodules.tasks.task import Labels, Task
from datamodules.transform import Transforms, apply_transforms

GENERATED = 1  # seed of the stand-in for `extra`


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
        order: `seed` draws images by seed, nested in n; `file` takes the first in the listing's
            order and splits those, patients or not, as the published code does; a `split` that
            is official stands.
        antialias: average when shrinking.
        per_image_max: stretch every image so that its brightest value is 255.
        on_bad_file: `stop` at an unreadable image, or `skip` to the next of its class, counted.
        standin: writes a generated data set in this one's format into a folder.
        default_task: what `task=default` means here.
        classes: how many there are, where it is known: lets n be checked before any file is read.
        task: what the labels are.
        n: training images.
        seed: of the run.
        batch_size: over all processes.
        cache: folder of decoded images.
        use_standin: read generated images instead of `root`.
        transforms: applied to the decoded images, in order: crops, corruptions, projections.
        extra: a .npz file of further training images, `image` and `label`: generated ones. As a
            stand-in for it serves another draw of the data set's own.
        extra_only: train on those alone.
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
        use_standin: bool = False,
        transforms: Transforms = (),
        extra: str | None = None,
        extra_only: bool = False,
    ) -> None:
        super().__init__(n, seed, batch_size)
        self.name, self.domain = name, domain
        self.task = task
        self.cache = Path(cache).expanduser()
        self.root = Path(root).expanduser() if root else None
        self.size, self.channels = size, channels
        self.antialias, self.per_image_max = antialias, per_image_max
        self.test_n, self.split, self.order = test_n, split, order
        self.on_bad_file = on_bad_file
        self.use_standin = use_standin
        self.transforms = transforms
        self.extra, self.extra_only = extra, extra_only
        self.standin = standin
        self.make_reader = reader

    def load(self) -> tuple[DataSpec, Split, Split]:
        """List, label, order, decode (or find decoded) and describe."""
        reader = self._reader()
        listing = reader.listing()
        self.notes = listing.notes
        labels = self.task.labels(listing, self.seed)
        groups = (
            None if listing.groups is None else np.unique(listing.groups, return_inverse=True)[1]
        )
        if self.order == "file" and self.split != "official":  # the publishers have split already
            if labels.slip:
                labels = slipped(labels, self.n + (self.test_n or 750))
            subset = first_in_files(labels, self.n, self.test_n, self.seed)
        else:
            subset = draw_subset(
                labels,
                None if groups is None else groups[labels.index],
                self.test_n,
                self.seed,
                self.split,
                None if listing.official_test is None else listing.official_test[labels.index],
            )
        if self.n > len(subset.train):
            raise DataError(self._too_few(labels, len(subset.train), len(subset.test)))
        part = partial(self._split, reader, listing, labels, groups)
        # a test image that cannot be read is replaced from the far end of the training pool
        spare = subset.train[::-1] if self.split != "official" else subset.train[:0]
        test = part(subset.test, np.append(subset.test, spare), len(subset.test), "test")
        left = self._apart(subset.train, labels, groups, test)
        train = part(subset.train, left, self.n, "train")
        train, test = apply_transforms(self.transforms, train, test, self.seed)
        train, test = self.task.relabel(train, test, len(labels.classes), self.seed)
        return self._describe(listing, labels, train, test), train, test

    def _reader(self) -> Reader:
        own = self.make_reader(root=self._standin(self.standin) if self.use_standin else self.root)
        if self.extra is None:
            return own
        if self.split != "official":
            raise DataError(f"data.extra with data.split={self.split}: set data.split=official.")
        if self.use_standin:
            more = self.make_reader(root=self._standin(partial(self.standin, seed=GENERATED)))
        else:
            more = Npz(Path(self.extra).expanduser(), x="image", y="label")
        return Extended(own, more, self.extra_only)

    def _standin(self, write: Callable[..., None] | None) -> Path:
        if self.standin is None or write is None:
            raise DataError(f"standin=true: `{self.name}` has no stand-in; leave standin=false.")
        return standin_folder(self.cache, self.name, write)

    def _apart(
        self, pool: np.ndarray, labels: Labels, groups: np.ndarray | None, test: Split
    ) -> np.ndarray:
        """The training pool without what the test set took from it as replacements."""
        tested = np.isin(labels.index[pool], test.source.numpy())
        if tested.any() and self.split == "group" and groups is not None:
            tested = np.isin(groups[labels.index[pool]], test.group.numpy())
        return pool[~tested]

    def _too_few(self, labels: Labels, pool: int, test: int) -> str:
        kind = rarest = ""
        if labels.balanced:
            counts = np.bincount(labels.y, minlength=len(labels.classes))
            least = int(counts.argmin())
            kind = "balanced "
            rarest = f" (rarest class: {counts[least]} of `{labels.classes[least]}`)"
        return (
            f"n={self.n} asked of `{self.name}`, but only {pool} {kind}training images are left "
            f"beside {test} for the test set{rarest}; use n<={pool}, or lower data.test_n."
        )

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
            "files": listing.fingerprint,
            "order": _digest(positions),
            "classes": _digest(wanted),
            "antialias": self.antialias,
            "per_image_max": self.per_image_max,
            "on_bad_file": self.on_bad_file,
        }
        cache = ImageCache(self.cache, key, (self.channels, self.size, self.size))
        cached = cache.rows(n, decoder)
        if len(cached.bad) and (names := decoder.passed_over(cached)):
            first = ", ".join(names[:3])
            self.notes += (f"{len(names)} unreadable {part} images replaced (first: {first})",)
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
