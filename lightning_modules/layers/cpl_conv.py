"""Convex potential layer, convolutional."""

from torch import Tensor

from lightning_modules.layers.norm_bound import convolution_norm_bound
from lightning_modules.layers.residual_conv import ResidualConv2d


def cpl_conv_step(kernel: Tensor, size: tuple[int, int]) -> Tensor:
    """The largest 1-Lipschitz step: 2 / ||K||^2, with an upper bound of ||K|| for this image size.

    Example:
        >>> import torch
        >>> cpl_conv_step(torch.full((1, 1, 1, 1), 2.0), size=(4, 4))
        tensor(0.5000)
    """
    return 2 / (convolution_norm_bound(kernel, size).square() + 1e-12)


class CPLConv2d(ResidualConv2d):
    """`CPLLinear` for images: one step down a convex potential.

        y = x - 2 / ||K||_2^2  K^T * ReLU(K * x + b)        (Meunier et al. 2022)

    Reading it: as `CPLLinear`. ||K|| is an upper bound for the size of the images, by Fourier
    transform. The published code adds b once more at the end; this shift is left out here.

    Arguments are those of `ResidualConv2d`.

    Example:
        >>> import torch
        >>> layer = CPLConv2d(2, 3)
        >>> layer(torch.zeros(1, 2, 4, 4)).abs().max()
        tensor(0., grad_fn=<...>)
    """

    def __init__(self, channels: int, kernel_size: int) -> None:
        super().__init__(channels, kernel_size)
        self.reset_parameters()

    def steps(self, size: tuple[int, int]) -> Tensor:
        """Return the step, the same for all channels."""
        return self.cache(cpl_conv_step, self.weight, size=size)
