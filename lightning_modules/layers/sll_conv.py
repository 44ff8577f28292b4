"""Semidefinite-programming-based Lipschitz layer, convolutional."""

import torch
from torch import Tensor, nn

from lightning_modules.layers.residual_conv import ResidualConv2d
from lightning_modules.layers.sll_linear import sll_steps


class SLLConv2d(ResidualConv2d):
    """`SLLLinear` for images: one step length per hidden channel.

        y = x - K^T * T ReLU(K * x + b)        (Araujo et al. 2023)

    Reading it: as `SLLLinear`, for images of any size.

    Arguments are those of `ResidualConv2d`.

    Example:
        >>> SLLConv2d(2, 3)(torch.zeros(1, 2, 4, 4)).abs().max()
        tensor(0., grad_fn=<...>)
    """

    def __init__(self, channels: int, kernel_size: int) -> None:
        super().__init__(channels, kernel_size)
        self.log_q = nn.Parameter(torch.empty(channels))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the kernel from torch's distribution; the bias is 0, all q are 1."""
        super().reset_parameters()
        nn.init.zeros_(self.log_q)

    def steps(self, size: tuple[int, int]) -> Tensor:
        """Return the step of each channel, (channels, 1, 1), the same for any size."""
        return self.cache(sll_steps, self.weight, self.log_q)[:, None, None]
