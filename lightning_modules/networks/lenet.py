"""LeNet-5 with average or max pooling."""

from typing import Literal

from torch import Tensor, nn

from lightning_modules.networks.activation import make_activation
from lightning_modules.networks.network import Network, require_size


class LeNet(Network):
    """LeNet (LeCun et al. 1998) as in Movahedi et al. 2025: two 5x5 convolutions.

    conv5(6), pool 2, conv5(16), pool 2, then `hidden` fully connected layers. At 32 px the
    convolutions have 16 x 5 x 5 = 400 outputs, the published layout; at least 16 px are needed.

    Args:
        hidden: widths of the fully connected layers; (120, 84) is LeNet, (96, 67) the small one.
        pool: `average` as Movahedi et al., `max` as in the published anisotropy directions.
        activation: after every layer but the last.

    >>> sum(p.numel() for p in LeNet(in_channels=3, size=32, outputs=10).parameters())
    62006
    """

    def __init__(
        self,
        in_channels: int,
        size: int,
        outputs: int,
        hidden: tuple[int, ...] = (120, 84),
        pool: Literal["average", "max"] = "average",
        activation: Literal["relu", "gelu"] = "relu",
    ) -> None:
        super().__init__()
        require_size(size, 16, "LeNet")
        pooling = {"average": nn.AvgPool2d, "max": nn.MaxPool2d}[pool]
        side = ((size - 4) // 2 - 4) // 2
        self.convolutions = nn.Sequential(
            nn.Conv2d(in_channels, 6, 5),
            make_activation(activation),
            pooling(2),
            nn.Conv2d(6, 16, 5),
            make_activation(activation),
            pooling(2),
            nn.Flatten(),
        )
        self.hidden = nn.Sequential()
        width = 16 * side * side
        for next_width in hidden:
            self.hidden.append(nn.Linear(width, next_width))
            self.hidden.append(make_activation(activation))
            width = next_width
        self.head = nn.Linear(width, outputs)
        # mirror images have the same pooled values only if the pools cover all pixels
        self.symmetries = ("channels", "d4" if size % 4 == 0 else "transpose")
        self.reset_parameters()

    def features(self, x: Tensor) -> Tensor:
        """Return the last hidden layer, of shape (B, hidden[-1])."""
        return self.hidden(self.convolutions(x))
