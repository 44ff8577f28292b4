"""Fewer or more channels, without increasing any distance."""

import torch.nn.functional as F
from torch import Tensor, nn


class FirstChannels(nn.Module):
    """Keep the first `channels` channels: a projection, so no distance grows.

    >>> import torch
    >>> FirstChannels(2)(torch.tensor([[1.0, 2.0, 3.0]]))
    tensor([[1., 2.]])
    """

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.channels = channels

    def forward(self, x: Tensor) -> Tensor:
        """(B, C, ...) to (B, channels, ...)."""
        if x.shape[1] < self.channels:
            raise ValueError(f"there are {x.shape[1]} channels, {self.channels} cannot be kept")
        return x[:, : self.channels]

    def extra_repr(self) -> str:
        """Return the number, for print."""
        return f"{self.channels}"


class ZeroChannels(nn.Module):
    """Append channels of zeros until there are `channels`: an isometry.

    >>> import torch
    >>> ZeroChannels(3)(torch.tensor([[1.0, 2.0]]))
    tensor([[1., 2., 0.]])
    """

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.channels = channels

    def forward(self, x: Tensor) -> Tensor:
        """(B, C, ...) to (B, channels, ...)."""
        missing = self.channels - x.shape[1]
        if missing < 0:
            raise ValueError(f"{x.shape[1]} channels do not fit into {self.channels}; use more")
        return F.pad(x, (*[0, 0] * (x.ndim - 2), 0, missing))

    def extra_repr(self) -> str:
        """Return the number, for print."""
        return f"{self.channels}"
