"""A data set with additional training images, often generated ones."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from datamodules.errors import DataError
from datamodules.files import Files
from datamodules.reader import Listing, Reader
from datamodules.readers.npz import Npz
from datamodules.tasks.class_position import class_position


def open_reader(
    make: Callable[..., Reader],
    root: Path | None,
    split: str,
    extra: Reader | str | None = None,
    extra_only: bool = False,
) -> Reader:
    """The reader of `root`, with the additional images of `extra` (a reader or a .npz file)."""
    own = make(root=root)
    if extra is None:
        return own
    if split != "official":
        raise DataError(f"data.extra with data.split={split}: set data.split=official.")
    if isinstance(extra, str):
        extra = Npz(Path(extra).expanduser(), x="image", y="label")
    return Extended(own, extra, extra_only)


@dataclass
class Extended:
    """Lists the images of two readers as one set; those of the second are for training only.

    Reading it: generators are trained on a data set's own training images, so only its official
    test set shows what their images add.
    """

    own: Reader  # the data set, with its official test set
    extra: Reader  # the additional images, labelled by the same classes or by their numbers
    only: bool = False  # leave out the data set's own training images

    def listing(self) -> Listing:
        """Own images first, then the others."""
        own, extra = self._listings
        chosen = self._chosen
        labels = np.concatenate([own.labels[chosen], _renumbered(extra, own.classes)])
        test = np.zeros(len(labels), bool)
        test[: len(chosen)] = own.official_test[chosen]  # type: ignore[index]  # checked below
        left = len(own) - len(chosen)
        omitted = (f"{left} own training images left out",) if left else ()
        return Listing(
            labels=labels,
            classes=own.classes,
            official_test=test,
            files=self._files(),
            notes=(*own.notes, *extra.notes, *omitted, f"{len(extra)} additional images"),
            warnings=(*own.warnings, *extra.warnings),
            rules=(*own.rules, *extra.rules),
        )

    def _files(self) -> Files | None:
        own, extra = self._listings
        if own.files is None or extra.files is None:
            return None
        chosen = self._chosen
        return own.files.taken(chosen).followed_by(extra.files, (len(chosen), len(extra)))

    def read(self, i: int) -> np.ndarray:
        """Image `i` of the listing."""
        count = len(self._chosen)
        return self.own.read(int(self._chosen[i])) if i < count else self.extra.read(i - count)

    @cached_property
    def _listings(self) -> tuple[Listing, Listing]:
        own, extra = self.own.listing(), self.extra.listing()
        if own.official_test is None or not own.official_test.any():
            raise DataError(
                "data.extra: additional images are for training, so test images must be the data "
                "set's own; set data.split=official, with data.reader.part=all where there is one."
            )
        return own, extra

    @cached_property
    def _chosen(self) -> np.ndarray:
        own, _ = self._listings
        assert own.official_test is not None
        return np.flatnonzero(own.official_test) if self.only else np.arange(len(own))


def _renumbered(extra: Listing, classes: tuple[str, ...]) -> np.ndarray:
    """The labels of `extra` as positions in `classes`, by name or by number."""
    places = [class_position(name, classes, "data.extra") for name in extra.classes]
    return np.array(places, dtype=np.int64)[extra.labels]
