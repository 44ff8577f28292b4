"""Base class of the 1-Lipschitz residual layers."""

import math
from abc import ABC, abstractmethod

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lightning_modules.layers.centre import kernel_shape
from lightning_modules.layers.weight_cache import WeightCache


class ResidualLayer(nn.Module, ABC):
    """y = x - W^T T ReLU(W x + b), with steps T small enough to keep it 1-Lipschitz.

    Input, hidden layer and output have `width` units. With a `kernel_size` W is a convolution with
    zero padding, and W^T its exact adjoint, the transposed convolution. A subclass defines `steps`.
    """

    def __init__(self, width: int, kernel_size: int | None = None) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(width, width, *kernel_shape(kernel_size)))
        self.bias = nn.Parameter(torch.empty(width))
        self.cache = WeightCache()
        ResidualLayer.reset_parameters(self)  # the subclass has not made its own parameters yet

    @abstractmethod
    def steps(self, size: tuple[int, ...]) -> Tensor:
        """Return T: one number, or one for each hidden unit.

        `size` is the height and width of the images of a convolution, () for a matrix.
        """

    def reset_parameters(self) -> None:
        """Draw the weight from torch's distribution for such layers; the bias is 0."""
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        nn.init.zeros_(self.bias)

    def forward(self, x: Tensor) -> Tensor:
        """(B, width), or (B, width, H, W), to the same shape."""
        # gradients are added in the order of these calls, and their rounding depends on it
        if self.weight.ndim == 2:
            hidden = F.linear(x, self.weight, self.bias).relu()
            return x - F.linear(self.steps(()) * hidden, self.weight.mT)
        padding = self.weight.shape[-1] // 2
        hidden = F.conv2d(x, self.weight, self.bias, padding=padding).relu()
        steps = self.steps(tuple(x.shape[2:]))
        return x - F.conv_transpose2d(steps * hidden, self.weight, padding=padding)

    def extra_repr(self) -> str:
        """Return the shape of the weight, for print."""
        return str(tuple(self.weight.shape))
