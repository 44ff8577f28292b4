"""Gradients through convolutions of few channels."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import nn

FEW = 8  # channels


@contextmanager
def plain_convolutions(model: nn.Module) -> Iterator[None]:
    """On CPUs torch's own convolutions inside the block, if all of `model` have at most 8 inputs.

    The other ones, oneDNN's, take the gradient with respect to 16 channels where there are fewer.
    Microseconds of 8 images of 32 px in NCHW through a convolution of 5 x 5:

    | channels | 1 to 6 | 3 to 6 | 3 to 64 | 8 to 8 | 16 to 16 |
    |---|---|---|---|---|---|
    | oneDNN | 388 | 394 | 1434 | 409 | 419 |
    | torch's own | 51 | 134 | 628 | 385 | 1105 |

    >>> with plain_convolutions(nn.Conv2d(1, 6, 5)):
    ...     torch.backends.mkldnn.enabled
    False
    """
    inputs = [layer.in_channels for layer in model.modules() if isinstance(layer, nn.Conv2d)]
    onednn: Any = torch.backends.mkldnn
    before = onednn.enabled
    if inputs and max(inputs) <= FEW:
        onednn.enabled = False
    try:
        yield
    finally:
        onednn.enabled = before
