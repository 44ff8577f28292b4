"""Images after a network's normalisation layer: each channel with mean 0 and variance 1."""

from collections.abc import Iterator

import torch
from torch import Tensor

from datamodules.channel_statistics import channel_statistics
from datamodules.split import Split

CHUNK = 64  # images held as float64 at once: 77 MB at 224 x 224 x 3


def channel_scale(train: Split) -> tuple[Tensor, Tensor]:
    """Mean and deviation of each channel, (C, 1, 1) float64; a constant channel has deviation 1."""
    mean, std = (torch.tensor(s).double().reshape(-1, 1, 1) for s in channel_statistics(train.x))
    return mean, torch.where(std > 0, std, 1.0)


def normalised(split: Split, train: Split) -> Iterator[Tensor]:
    """The images of `split` in chunks (rows, D) float64, by the channel statistics of `train`.

    >>> x = torch.tensor([0, 255], dtype=torch.uint8).reshape(2, 1, 1, 1)
    >>> split = Split(x, torch.zeros(2), torch.arange(2))
    >>> torch.cat(list(normalised(split, split))).tolist()
    [[-1.0], [1.0]]
    """
    mean, std = channel_scale(train)
    for rows in torch.arange(len(split)).split(CHUNK):
        yield ((split.images(rows).double() - mean) / std).flatten(1)
