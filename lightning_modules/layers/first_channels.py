"""Fewer channels without increasing any distance."""

from torch import Tensor, nn


class FirstChannels(nn.Module):
    """Keep the first `channels` channels: a projection, so no distance grows.

    Raises:
        ValueError: if the input has fewer.

    Example:
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
