"""Listings and splits without files, for tests of tasks."""

import numpy as np
import torch

from datamodules.reader import Listing
from datamodules.split import Split


def ten_classes(each: int = 20) -> Listing:
    """CIFAR-10's class names, `each` images of every class, in turn."""
    names = "airplane automobile bird cat deer dog frog horse ship truck"
    return Listing(labels=np.arange(10 * each) % 10, classes=tuple(names.split()))


def noise_images(n: int, seed: int = 0, shape: tuple[int, int, int] = (3, 4, 4)) -> Split:
    """Uniform uint8 images with labels 0, 1, ..., 9 in turn."""
    generator = torch.Generator().manual_seed(seed)
    x = torch.randint(0, 256, (n, *shape), generator=generator, dtype=torch.uint8)
    return Split(x=x, y=torch.arange(n) % 10, source=torch.arange(n))


def with_unclassed(listing: Listing) -> Listing:
    """The listing with every fifth image in no class, as those that only a finding knows."""
    labels = listing.labels.copy()
    labels[::5] = -1
    return Listing(labels=labels, classes=listing.classes)
