"""Base class of the convolutional residual layers."""

import math
from abc import ABC, abstractmethod

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lightning_modules.layers.centre import require_centre
from lightning_modules.layers.weight_cache import WeightCache


class ResidualConv2d(nn.Module, ABC):
    """y = x - K^T * T ReLU(K * x + b), with steps T small enough to keep it 1-Lipschitz.

    Input, hidden layer and output have the same channels. Zero padding keeps the size; K^T is the
    transposed convolution, the exact adjoint of K with its padding. A subclass defines the `steps`.

    Raises:
        ValueError: if the kernel has no centre, because its size is even.
    """

    def __init__(self, channels: int, kernel_size: int) -> None:
        super().__init__()
        require_centre(kernel_size)
        self.weight = nn.Parameter(torch.empty(channels, channels, kernel_size, kernel_size))
        self.bias = nn.Parameter(torch.empty(channels))
        self.cache = WeightCache()

    @abstractmethod
    def steps(self, size: tuple[int, int]) -> Tensor:
        """Return T for images of this height and width: one number, or (channels, 1, 1)."""

    def reset_parameters(self) -> None:
        """Draw the kernel from torch's distribution for convolutions; the bias is 0."""
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        nn.init.zeros_(self.bias)

    def forward(self, x: Tensor) -> Tensor:
        """(B, channels, H, W) to the same shape."""
        height, width = x.shape[-2:]
        padding = self.weight.shape[-1] // 2
        hidden = F.conv2d(x, self.weight, self.bias, padding=padding).relu()
        back = F.conv_transpose2d(
            self.steps((height, width)) * hidden, self.weight, padding=padding
        )
        return x - back

    def extra_repr(self) -> str:
        """Return the shape, for print."""
        return f"{len(self.weight)}, kernel_size={self.weight.shape[-1]}"
