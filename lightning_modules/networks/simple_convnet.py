"""The plain convolutional network that 1-Lipschitz ones are compared with."""

from typing import Literal

from torch import Tensor, nn

from lightning_modules.layers.pooling import GlobalMax
from lightning_modules.networks.activation import make_activation
from lightning_modules.networks.convolution import make_batch_norm
from lightning_modules.networks.network import Network, require_size


class SimpleConvNet(Network):
    """Eight 3x3 convolutions, w to 8w channels, three max-pools and a global maximum (Prach 2025).

    Convolutions w, w, 2w, 2w, 4w, 4w, 8w, 8w, each followed by normalisation and activation; where
    the channels double there is a 2x2 max-pool before the normalisation. No biases. The last pool
    takes the maximum over the whole map, 4x4 at 32 px. At least 8 px are needed.

    Args:
        width: channels of the first convolution, w.
        norm: `batch` or `none`.
        activation: after every convolution.

    >>> sum(p.numel() for p in SimpleConvNet(in_channels=3, size=32, outputs=10).parameters())
    4692416
    """

    def __init__(
        self,
        in_channels: int,
        size: int,
        outputs: int,
        width: int = 64,
        norm: Literal["batch", "none"] = "batch",
        activation: Literal["relu", "gelu"] = "relu",
    ) -> None:
        super().__init__()
        require_size(size, 8, "SimpleConvNet")
        self.convolutions = nn.Sequential()
        channels = in_channels
        for stage in (1, 2, 4, 8):
            for pooled in (stage > 1, False):
                after = stage * width
                self.convolutions.append(nn.Conv2d(channels, after, 3, padding=1, bias=False))
                if pooled:
                    self.convolutions.append(nn.MaxPool2d(2))
                self.convolutions.append(make_batch_norm(norm, after))
                self.convolutions.append(make_activation(activation))
                channels = after
        self.pool = GlobalMax()
        self.head = nn.Linear(channels, outputs, bias=False)
        self.reset_parameters()

    def features(self, x: Tensor) -> Tensor:
        """Return the maxima of the last maps, of shape (B, 8 width)."""
        return self.pool(self.convolutions(x))
