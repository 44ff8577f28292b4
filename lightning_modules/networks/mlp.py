"""Fully connected network of any widths."""

from typing import Literal

from torch import Tensor, nn

from lightning_modules.networks.activation import make_activation
from lightning_modules.networks.network import Network, reset_layers


def draw_glorot(layer: nn.Linear) -> None:
    """Draw a linear layer from N(0, 2 / (fan_in + fan_out)), in place, its biases zero."""
    nn.init.xavier_normal_(layer.weight)
    if layer.bias is not None:
        nn.init.zeros_(layer.bias)


class MLP(Network):
    """Multilayer perceptron on the flattened pixels.

    Movahedi et al. 2025 use two hidden layers of 100; Zhang et al. 2017 and Brandao 2023 one or
    three of 512.

    Args:
        widths: widths of the hidden layers; () is the linear classifier.
        bias: whether the layers, head included, have biases.
        activation: after every hidden layer.
        init: `default` is torch's, U(-1/sqrt(fan_in), 1/sqrt(fan_in)); `glorot` is
            N(0, 2 / (fan_in + fan_out)) with zero biases.

    >>> sum(p.numel() for p in MLP(in_channels=1, size=32, outputs=1).parameters())
    112701
    """

    def __init__(
        self,
        in_channels: int,
        size: int,
        outputs: int,
        widths: tuple[int, ...] = (100, 100),
        bias: bool = True,
        activation: Literal["relu", "gelu"] = "relu",
        init: Literal["default", "glorot"] = "default",
    ) -> None:
        super().__init__()
        if any(width < 1 for width in widths):
            raise ValueError(f"widths={list(widths)}: every hidden layer needs at least 1 unit")
        self.init = init
        self.symmetries = ("pixels",)
        self.hidden = nn.Sequential(nn.Flatten())
        width = in_channels * size * size
        for next_width in widths:
            self.hidden.append(nn.Linear(width, next_width, bias=bias))
            self.hidden.append(make_activation(activation))
            width = next_width
        self.head = nn.Linear(width, outputs, bias=bias)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Redraw all parameters in place by `init`."""
        reset_layers(self, {nn.Linear: draw_glorot} if self.init == "glorot" else {})

    def features(self, x: Tensor) -> Tensor:
        """Return the last hidden layer, of shape (B, widths[-1])."""
        return self.hidden(x)
