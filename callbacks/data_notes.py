"""Notes on a user's own images: which files to check before trusting a number."""

import torch
from torch import Tensor
from torch.nn.functional import adaptive_avg_pool2d

from callbacks.subject import Subject
from datamodules.spec import OWN
from datamodules.split import Split
from metrics.functional.near_copies import near_copies
from records.counted import counted

NAMED = 3  # pairs that a note names
SIDE = 32  # pixels per side that images are compared at
BATCH = 256


def is_own(subject: Subject) -> bool:
    """Whether the images are the user's own; the docs have the notes on published sets."""
    return subject.data.spec.name in OWN


def image_label(subject: Subject, split: Split, row: int) -> str:
    """File (if known) and class of an image, as text."""
    names, source = subject.data.image_names, int(split.source[row])
    name = f"image {source}" if names is None else names[source]
    return f"{name} ({subject.data.spec.class_name(int(split.y[row]))})"


def closest_pair_note(subject: Subject, pair: list[int]) -> str:
    """The files of the closest two images of different labels, which determine K_F."""
    first, second = (image_label(subject, subject.data.train, row) for row in pair)
    return f"closest training images of different labels: {first} and {second}"


def equal_images_note(subject: Subject, equal: list[list[int]], count: int) -> str:
    """Which equal images have different labels, by file if it is known."""
    named = "; ".join(
        " and ".join(image_label(subject, subject.data.train, row) for row in pair)
        for pair in equal[:NAMED]
    )
    first = "first " if count > NAMED else ""
    return (
        f"data/k_f is infinite: {counted(count, 'pair')} of equal images with different labels "
        f"({first}{named}); "
        "correct the labels or leave the images out. data/k_f_finite is K_F without them"
    )


def find_leaks(subject: Subject) -> list[list[int]]:
    """Rows of test images with a nearly equal training image, each with the row of that image.

    They are compared as the network sees them, at 32 pixels; the scan of `--difficulty` compares
    the files in grey. Accuracy on such test images measures memorisation, not generalisation.
    """
    train, test = (_small(split) for split in (subject.data.train, subject.data.test))
    return [[row, other] for row, other, _ in near_copies(train, test)]


def leakage_note(subject: Subject, leaks: list[list[int]]) -> str:
    """How many test images are nearly equal to a training image, and the first of them."""
    train, test = subject.data.train, subject.data.test
    first = "; ".join(
        f"{image_label(subject, test, row)} is like {image_label(subject, train, other)}"
        for row, other in leaks[:NAMED]
    )
    share = len(leaks) / len(test)
    return (
        f"leakage: {counted(len(leaks), 'test image')} ({share:.1%}) equal or nearly equal to a "
        f"training image ({'first: ' * (len(leaks) > NAMED)}{first}); remove the copies, or give "
        "them one group, which data.split=group keeps together"
    )


def mixed_groups_note(subject: Subject) -> str:
    """How many groups of the training set have several labels; empty if none has."""
    train = subject.data.train
    if train.group is None:
        return ""
    pairs = torch.stack([train.group, train.y], dim=1).unique(dim=0)
    mixed = int((pairs[:, 0].unique(return_counts=True)[1] > 1).sum())
    return f"{counted(mixed, 'group')} with training images of several labels" if mixed else ""


def _small(split: Split) -> Tensor:
    """The images at 32 pixels or fewer, flat."""
    side = min(SIDE, split.x.shape[-1])
    rows = range(0, len(split), BATCH)
    parts = [adaptive_avg_pool2d(split.images(slice(r, r + BATCH)).float(), side) for r in rows]
    return torch.cat(parts).flatten(1)
