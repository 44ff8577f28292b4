"""Semidefinite-programming-based Lipschitz layer, convolutional."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lightning_modules.layers.centre import require_centre
from lightning_modules.layers.kept import Kept
from lightning_modules.layers.sll_linear import sll_steps


class SLLConv2d(nn.Module):
    """`SLLLinear` for images: one step length per hidden channel.

        y = x - K^T * T ReLU(K * x + b)        (Araujo et al. 2023)

    Zeros are padded so that the size stays; K^T is the transposed convolution, its exact adjoint.

    Reading it: as `SLLLinear`, for images of any size.

    Args:
        channels: of input, hidden layer and output.
        kernel_size: k, odd.

    Raises:
        ValueError: if the kernel has no centre.

    Example:
        >>> SLLConv2d(2, 3)(torch.zeros(1, 2, 4, 4)).abs().max()
        tensor(0., grad_fn=<...>)
    """

    def __init__(self, channels: int, kernel_size: int) -> None:
        super().__init__()
        require_centre(kernel_size)
        self.weight = nn.Parameter(torch.empty(channels, channels, kernel_size, kernel_size))
        self.bias = nn.Parameter(torch.empty(channels))
        self.log_q = nn.Parameter(torch.empty(channels))
        self.kept = Kept()
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the kernel by torch's law of convolutions; the bias is 0, all q are 1."""
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        nn.init.zeros_(self.bias)
        nn.init.zeros_(self.log_q)

    def forward(self, x: Tensor) -> Tensor:
        """(B, channels, H, W) to the same shape."""
        padding = self.weight.shape[-1] // 2
        steps = self.kept(sll_steps, self.weight, self.log_q)[:, None, None]
        hidden = F.conv2d(x, self.weight, self.bias, padding=padding).relu()
        return x - F.conv_transpose2d(steps * hidden, self.weight, padding=padding)

    def extra_repr(self) -> str:
        """Return the shape, for print."""
        return f"{len(self.weight)}, kernel_size={self.weight.shape[-1]}"
