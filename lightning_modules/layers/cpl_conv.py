"""Convex potential layer, convolutional."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lightning_modules.layers.centre import require_centre
from lightning_modules.layers.kept import Kept
from lightning_modules.layers.norm_bound import convolution_norm_bound


def cpl_conv_step(kernel: Tensor, size: tuple[int, int]) -> Tensor:
    """The longest step that is safe for images of this size: 2 / ||K||^2.

    Args:
        kernel: K, (hidden, in, k, k).
        size: height and width of the images.

    Returns:
        A scalar, from an upper bound of the norm of the padded convolution.

    Example:
        >>> cpl_conv_step(torch.full((1, 1, 1, 1), 2.0), size=(4, 4))
        tensor(0.5000)
    """
    return 2 / (convolution_norm_bound(kernel, size).square() + 1e-12)


class CPLConv2d(nn.Module):
    """`CPLLinear` for images: one step down a convex potential.

        y = x - 2 / ||K||_2^2  K^T * ReLU(K * x + b)        (Meunier et al. 2022)

    Zeros are padded so that the size stays; K^T is the transposed convolution, its exact adjoint.

    Reading it: as `CPLLinear`. ||K|| is an upper bound for the size of the images given, by Fourier
    transform. The published code adds b once more at the end, a shift that this has not.

    Args:
        channels: of input, hidden layer and output.
        kernel_size: k, odd.

    Raises:
        ValueError: if the kernel has no centre.

    Example:
        >>> layer = CPLConv2d(2, 3)
        >>> layer(torch.zeros(1, 2, 4, 4)).abs().max()
        tensor(0., grad_fn=<...>)
    """

    def __init__(self, channels: int, kernel_size: int) -> None:
        super().__init__()
        require_centre(kernel_size)
        self.weight = nn.Parameter(torch.empty(channels, channels, kernel_size, kernel_size))
        self.bias = nn.Parameter(torch.empty(channels))
        self.kept = Kept()
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the kernel by torch's law of convolutions, the bias zero."""
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        nn.init.zeros_(self.bias)

    def forward(self, x: Tensor) -> Tensor:
        """(B, channels, H, W) to the same shape."""
        padding = self.weight.shape[-1] // 2
        step = self.kept(cpl_conv_step, self.weight, size=tuple(x.shape[-2:]))
        hidden = F.conv2d(x, self.weight, self.bias, padding=padding).relu()
        return x - step * F.conv_transpose2d(hidden, self.weight, padding=padding)

    def extra_repr(self) -> str:
        """Return the shape, for print."""
        return f"{len(self.weight)}, kernel_size={self.weight.shape[-1]}"
