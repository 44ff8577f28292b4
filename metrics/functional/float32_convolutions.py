"""Convolutions in full float32 on GPUs."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def float32_convolutions() -> Iterator[None]:
    """Float32 convolutions without TF32 inside the block.

    On GPUs from the A100 on, torch rounds their inputs to 10 bits by default, which changes scores
    by 1e-3; matrix products are not rounded.

    >>> with float32_convolutions():
    ...     torch.backends.cudnn.allow_tf32
    False
    """
    before = torch.backends.cudnn.allow_tf32
    torch.backends.cudnn.allow_tf32 = False
    try:
        yield
    finally:
        torch.backends.cudnn.allow_tf32 = before
