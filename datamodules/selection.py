"""Which images of a listing a run trains and tests on: known before any pixel is read."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from datamodules.class_counts import (
    check_two_of_each,
    note_on_balance,
    note_on_untrained,
    rarest_class,
    unbalanced_way,
)
from datamodules.errors import DataError, TooFewImagesError
from datamodules.reader import Listing
from datamodules.subset import (
    FILE_TEST_N,
    Subset,
    draw_fold,
    draw_subset,
    first_in_files,
    rules_of_official,
    rules_of_quarter,
    slipped,
)
from datamodules.tasks.task import Labels, Task


@dataclass(frozen=True, kw_only=True)
class Choice:
    """Which images are trained and tested on."""

    name: str  # of the data set in messages
    n: int  # training images
    seed: int  # of the run
    # test images, balanced; None: see `quarter`, or the whole official test set, not balanced
    test_n: int | None = 750
    # `group` keeps patients apart, `image` ignores them, `official` is the publishers'
    split: Literal["group", "image", "official"] = "group"
    # `seed` draws images by seed, nested in n; `file` takes the first images of the listing and
    # splits them without regard to patients, as the published code does; an official `split` takes
    # precedence
    order: Literal["seed", "file"] = "seed"
    # number of parts of all images, by group; the test set is one of them. None: `test_n`
    folds: int | None = None
    fold: int | None = None  # which part is the test set, from 0


@dataclass(frozen=True)
class Selection:
    """The images of a run, by their positions in `labels`."""

    labels: Labels
    groups: np.ndarray | None  # (N,) of the listing, numbered from 0
    subset: Subset
    # rules that divided these images and that earlier versions did not have: see `Listing.rules`
    rules: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()  # on the division, for the record

    def used(self, n: int) -> np.ndarray:
        """Positions in `labels` of the test images and then the n training images."""
        return np.append(self.subset.test, self.subset.train[:n])


def select(listing: Listing, task: Task, choice: Choice) -> Selection:
    """Label, split and order; TooFewImagesError if there are fewer images than requested.

    Warnings on the listing may be the reason for an error: files that are missing or left out.
    """
    with _with_warnings(listing):
        return _select(listing, task, choice)


@contextmanager
def _with_warnings(listing: Listing) -> Iterator[None]:
    """Errors with the warnings on the listing."""
    try:
        yield
    except DataError as error:
        if not listing.warnings or listing.warnings[-1] in str(error):
            raise
        raise type(error)("\n".join([str(error), *listing.warnings])) from error


def _select(listing: Listing, task: Task, choice: Choice) -> Selection:
    if choice.folds is not None and (choice.split == "official" or choice.order == "file"):
        raise DataError(
            f"folds={choice.folds}: folds are drawn from all images by data.seed; set data.split "
            "to group or image, and data.order=seed."
        )
    labels = task.labels(listing, choice.seed)
    groups = None if listing.groups is None else np.unique(listing.groups, return_inverse=True)[1]
    own = None if groups is None else groups[labels.index]
    n, test_n, seed = choice.n, choice.test_n, choice.seed
    rules: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    # official: already split by the publishers
    if choice.order == "file" and choice.split != "official":
        if labels.slip:
            labels = slipped(labels, n + (test_n or FILE_TEST_N))
        subset = first_in_files(labels, n, test_n, seed)
    elif choice.folds is not None:
        kept = own if choice.split == "group" else None
        subset = draw_fold(labels, kept, choice.folds, choice.fold or 0, seed)
    else:
        official = None if listing.official_test is None else listing.official_test[labels.index]
        rules = rules_of_quarter(labels) if test_n is None else ()
        subset = draw_subset(labels, own, test_n, seed, choice.split, official)
        if choice.split == "official" and official is not None:
            notes = note_on_untrained(labels, official)
            rules += rules_of_official(labels, official) if test_n is None else ()
            notes += _note_on_official(len(subset.test), int(official.sum()))
    if n > len(subset.train):
        if choice.split != "official":
            check_two_of_each(labels, choice.name)
        raise _too_few(choice, labels, len(subset.train), len(subset.test))
    if choice.order == "seed" and choice.split != "official" and n == len(subset.train):
        notes += note_on_balance(labels, n + len(subset.test))
    return Selection(labels, groups, subset, rules, notes)


def _note_on_official(used: int, available: int) -> tuple[str, ...]:
    """A note where results are not over the test set that published ones are over."""
    if used == available:
        return ()
    return (
        f"{used:,} of the {available:,} official test images are used, by data.test_n and the "
        "balance of classes; data.test_n=null uses all",
    )


def most_images(listing: Listing, task: Task, choice: Choice) -> int:
    """The training images that the test set leaves: the number that `n=all` stands for.

    A balanced task uses as many images of every class as there are of the rarest.
    """
    if choice.order == "file" and choice.split != "official":
        labels = task.labels(listing, choice.seed)
        fewest = int(np.bincount(labels.y, minlength=len(labels.classes)).min())
        test_n = FILE_TEST_N if choice.test_n is None else choice.test_n
        most = len(labels.classes) * fewest - test_n
    else:
        most = len(select(listing, task, replace(choice, n=0)).subset.train)
    if most < 1:
        labels = task.labels(listing, choice.seed)
        with _with_warnings(listing):
            if choice.split != "official":
                check_two_of_each(labels, choice.name)
            raise DataError(
                f"n=all of `{choice.name}`: of {len(listing)} images{rarest_class(labels)} the "
                f"test set leaves none for training; lower data.test_n{unbalanced_way(labels)}."
            )
    return most


def _too_few(choice: Choice, labels: Labels, pool: int, test: int) -> TooFewImagesError:
    kind = "balanced " if labels.balanced else ""
    ways = [f"use n=all or n<={pool}"] if pool else []
    ways += ["lower data.test_n, or add images"] if choice.folds is None else []
    return TooFewImagesError(
        f"n={choice.n} requested of `{choice.name}`, but {pool} {kind}training images are left "
        f"beside {test} for the test set{rarest_class(labels)}; "
        f"{', or '.join(ways or ['use fewer folds'])}{unbalanced_way(labels)}."
    )
