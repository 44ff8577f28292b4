"""Any set of images: a reader lists and decodes, a task labels, a seed orders, a cache stores."""

import hashlib
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Literal

import numpy as np
import torch

from datamodules.base import TensorDataModule
from datamodules.cache import ImageCache
from datamodules.content import Contents
from datamodules.decode import ImageDecoder
from datamodules.errors import DataError
from datamodules.fingerprint import content_of_images, identify
from datamodules.group_notes import group_notes
from datamodules.identity import identity
from datamodules.image_hints import image_hints
from datamodules.padding import padding_notes
from datamodules.pixels import Pixels
from datamodules.reader import Listing, Reader
from datamodules.selection import Choice, Selection, select
from datamodules.source import Source
from datamodules.spec import OWN
from datamodules.split import Split
from datamodules.tasks.task import Task
from datamodules.transform import Transforms, apply_transforms
from records.counted import counted

# options of readers that change no pixel: location, memory, choice of files
UNSEEN = ("index", "megabytes", "label_pattern", "leave_out")


@dataclass(frozen=True, kw_only=True)
class ImageData(Source, Pixels, Choice):
    """Real images (or stand-ins for them) from disk: the keys of `conf/data/*.yaml`.

    They are grouped by use: `Source` reads, `Pixels` prepares, `Choice` chooses.
    """

    task: Task  # what the labels are
    batch_size: int  # over all processes
    domain: Literal["natural", "medical", "synthetic"] = "natural"
    default_task: Literal["all", "pair"] = "all"  # what `task=default` means here
    # number of classes, if known: n can then be checked before any file is read
    classes: int | None = None
    flag: str | None = None  # which of several published sets, for the reader
    # applied to the decoded images, in order: crops, corruptions, projections; fitted on the images
    # that are trained on
    transforms: Transforms = ()
    # share or number of the n images that are not trained on, apart by group
    validation: float | int | None = None

    def module(self) -> "ImageModule":
        """The datamodule; nothing is read yet."""
        return ImageModule(self)


class ImageModule(TensorDataModule):
    """Lists, labels, orders and decodes the images of an `ImageData`."""

    def __init__(self, settings: ImageData) -> None:
        super().__init__(settings.n, settings.seed, settings.batch_size, settings.validation)
        self.settings, self.name = settings, settings.name
        self.domain, self.is_standin = settings.domain, settings.use_standin
        self.keeps_groups = settings.split != "image"
        if settings.name in OWN and settings.folder is not None:
            self.folder = settings.folder.absolute().name.removesuffix(".npz")

    def load(self) -> tuple[Split, Split]:
        """List, label, order and decode, or find decoded."""
        settings = self.settings
        reader = settings.open()
        listing = reader.listing()
        self.notes, self.image_names = listing.notes, listing.names
        chosen = select(listing, settings.task, settings)
        subset = chosen.subset
        self.notes += chosen.notes
        self.fingerprint = self._identify(listing, chosen)
        part = partial(self._split, reader, listing, chosen)
        spare = self._spare(listing, chosen)
        test = part(subset.test, np.append(subset.test, spare), len(subset.test), "test")
        train = part(subset.train, self._apart(chosen, test), self.n, "train")
        if self._identify(listing, chosen) != self.fingerprint:
            raise DataError(
                f"{settings.root}: images changed while they were read; run the same command again."
            )
        sides = (None if one.group is None else one.group.numpy() for one in (train, test))
        self.warnings = (*listing.warnings, *group_notes(listing, settings.split, *sides))
        if settings.name in OWN:
            # the image that is stored first: a packed array is unpacked up to it
            self.warnings += image_hints(train.x, reader.read(int(train.source.min())).shape)
        if count := getattr(reader, "nan_pixels", None):
            self.notes += padding_notes(settings.cache_folder, self.fingerprint, count)
        train = self.mark_validation(train)
        train, test = apply_transforms(settings.transforms, train, test, self.seed)
        self.classes = chosen.labels.classes
        train, test = settings.task.relabel(train, test, len(self.classes), self.seed)
        self.test_names = {} if settings.use_standin else listing.names_of(test.source.numpy())
        return train, test

    def _identify(self, listing: Listing, chosen: Selection) -> str | None:
        """The fingerprint of what is read; None for generated images, which never change."""
        if self.settings.use_standin:
            return None
        found = identify(listing, lambda: chosen, self.n, self._contents, rules=chosen.rules)
        return None if found is None else found.fingerprint

    @cached_property
    def _contents(self) -> Contents:
        return Contents(self.settings.cache_folder, self.settings.folder or Path())

    def _spare(self, listing: Listing, chosen: Selection) -> np.ndarray:
        """Images for the test set in place of those that cannot be read.

        They are from the far end of the training pool, or other official test images.
        """
        subset = chosen.subset
        if self.settings.split != "official":
            return subset.train[::-1]
        if self.settings.on_bad_file == "stop" or listing.official_test is None:
            return subset.test[:0]  # none is replaced
        official = np.flatnonzero(listing.official_test[chosen.labels.index])
        return np.setdiff1d(official, subset.test)

    def _apart(self, chosen: Selection, test: Split) -> np.ndarray:
        """The training pool without the images that the test set took as replacements."""
        pool, groups = chosen.subset.train, chosen.groups
        images = chosen.labels.index[pool]
        tested = np.isin(images, test.source.numpy())
        if tested.any() and self.settings.split == "group" and groups is not None:
            tested = np.isin(groups[images], groups[test.source.numpy()])
        return pool[~tested]

    def _split(
        self,
        reader: Reader,
        listing: Listing,
        chosen: Selection,
        rows: np.ndarray,
        candidates: np.ndarray,
        n: int,
        part: str,
    ) -> Split:
        labels, groups = chosen.labels, chosen.groups
        settings = self.settings
        positions, wanted = labels.index[candidates], labels.y[rows]
        decoder = ImageDecoder(
            reader,
            listing,
            wanted,
            positions,
            labels.y[candidates],
            settings.prepare,
            skip=settings.on_bad_file == "skip",
            title=f"decoding {self.name} ({part})",
        )
        key = {**pixel_key(settings), "order": _digest(positions), "classes": _digest(wanted)}
        content = (
            None
            if listing.files is None or settings.use_standin
            else partial(content_of_images, listing.files, self._contents)
        )
        shape = (settings.channels, settings.size, settings.size)
        cache = ImageCache(settings.cache_folder, key, shape, content)
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


def pixel_key(settings: ImageData) -> dict[str, object]:
    """All settings that change a decoded image, for the cache."""
    reader, values, options = identity(settings.reader)
    seen = {name: value for name, value in options.items() if name not in UNSEEN}
    version = getattr(getattr(settings.reader, "func", settings.reader), "version", None)
    return {
        **({"version": version} if version else {}),  # of a reader whose rules have changed
        "data": settings.name,
        "reader": [reader, values, seen],
        "standin": settings.standin_root().name if settings.use_standin else None,
        "extra": [bool(settings.extra), settings.extra_only],
        "antialias": settings.antialias,
        "per_image_max": settings.per_image_max,
        "on_bad_file": settings.on_bad_file,
    }


def _digest(numbers: np.ndarray) -> str:
    return hashlib.sha256(np.ascontiguousarray(numbers).tobytes()).hexdigest()
