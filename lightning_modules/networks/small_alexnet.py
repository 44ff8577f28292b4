"""The small AlexNet of the studies of fitting noise."""

from typing import Literal

from torch import Tensor, nn

from lightning_modules.layers.pooling import ResponseNorm
from lightning_modules.networks.activation import make_activation
from lightning_modules.networks.network import Network, require_size


class SmallAlexNet(Network):
    """Two 5x5 convolutions with local response normalisation, then 384 and 192 hidden units.

    `zhang` is the layout with the parameter count of Zhang et al. 2017: 64 and 64 channels, each
    followed by a 3x3 max-pool of stride 2. `repo` is Brandao 2023's published code: 96 and 256
    channels, max-pools of stride 3, from 9 px. At 28 px the last maps are 7x7 and 3x3.

    Args:
        variant: `zhang` or `repo`, see above.
        activation: after every layer but the last.

    >>> sum(p.numel() for p in SmallAlexNet(in_channels=3, size=28, outputs=10).parameters())
    1387786
    """

    def __init__(
        self,
        in_channels: int,
        size: int,
        outputs: int,
        variant: Literal["zhang", "repo"] = "zhang",
        activation: Literal["relu", "gelu"] = "relu",
    ) -> None:
        super().__init__()
        if variant == "zhang":
            widths, stride, padding = (64, 64), 2, 1
        else:
            require_size(size, 9, "SmallAlexNet with variant=repo", "variant=zhang")
            widths, stride, padding = (96, 256), 3, 0
        self.convolutions = nn.Sequential()
        channels, side = in_channels, size
        for width in widths:
            self.convolutions.extend(
                [
                    nn.Conv2d(channels, width, 5, padding=2),
                    make_activation(activation),
                    nn.MaxPool2d(3, stride, padding),
                    ResponseNorm(5),
                ]
            )
            channels, side = width, (side + 2 * padding - 3) // stride + 1
        self.hidden = nn.Sequential(
            nn.Flatten(),
            nn.Linear(channels * side * side, 384),
            make_activation(activation),
            nn.Linear(384, 192),
            make_activation(activation),
        )
        self.head = nn.Linear(192, outputs)
        self.reset_parameters()

    def features(self, x: Tensor) -> Tensor:
        """Return the second hidden layer, of shape (B, 192)."""
        return self.hidden(self.convolutions(x))
