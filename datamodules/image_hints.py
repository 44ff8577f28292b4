"""Hints on settings that do not suit a user's own images: channels, size, levels of grey."""

from collections.abc import Sequence

import torch
from torch import Tensor

FEW = 16  # levels of 256 between the darkest and the brightest pixel of all images


def image_hints(x: Tensor, stored: Sequence[int]) -> tuple[str, ...]:
    """Sentences on grey images read as colour, small images that are enlarged, and few levels.

    `x` (N, C, H, W) are the images as they are used, `stored` is the shape of one in its file.

    >>> image_hints(torch.zeros(2, 3, 224, 224), (28, 28))[0]
    'all images are grey but read in three channels; data.channels=1 takes a third of the memory'
    >>> image_hints(torch.zeros(2, 1, 224, 224), (28, 30))
    ('an image of 28 x 30 pixels is enlarged to 224 x 224; if all are so small, use data.size=30',)
    """
    channels, size = x.shape[1], x.shape[-1]
    hints = []
    if x.dtype == torch.uint8 and int(x.max()) - int(x.min()) < FEW:
        darkest, brightest = int(x.min()), int(x.max())
        hints.append(
            f"all pixels of the training images are from {darkest} to {brightest} of 0..255; "
            "data.reader.window=[centre,width] uses more levels"
        )
    if channels == 3 and all(torch.equal(image[:1].expand_as(image), image) for image in x):
        hints.append(
            "all images are grey but read in three channels; data.channels=1 takes a third of the "
            "memory"
        )
    height, width = stored[:2]
    if max(height, width) < size:
        hints.append(
            f"an image of {height} x {width} pixels is enlarged to {size} x {size}; if all are so "
            f"small, use data.size={max(height, width)}"
        )
    return tuple(hints)
