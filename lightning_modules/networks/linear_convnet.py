"""Linear convolutions and an average over the image: the network of Theorem 3.2."""

from torch import Tensor, nn

from lightning_modules.layers.pooling import MeanPool
from lightning_modules.networks.network import Network, require_size, reset_layers


def draw_normal(layer: nn.Linear | nn.Conv2d) -> None:
    """Draw a layer from N(0, 1 / fan_in), in place; it has no biases."""
    nn.init.normal_(layer.weight, std=layer.weight[0].numel() ** -0.5)


class LinearConvNet(Network):
    """f(x) = w^T Phi A x: convolutions without padding, biases or activation, then their mean.

    With one convolution it is the network of Theorem 3.2 in Movahedi et al. 2025, whose geometry
    and evolution are known exactly: A x is the mean patch of the image. Weights are Gaussian.

    Args:
        widths: channels of the convolutions, one after the other.
        kernel: height and width of all kernels.

    >>> sum(p.numel() for p in LinearConvNet(3, 32, 2, widths=(10,), kernel=5).parameters())
    770
    """

    def __init__(
        self,
        in_channels: int,
        size: int,
        outputs: int,
        widths: tuple[int, ...] = (64,),
        kernel: int = 5,
    ) -> None:
        super().__init__()
        require_size(size, 1 + len(widths) * (kernel - 1), "LinearConvNet")
        self.symmetries = ("channels", "d4")
        channels = [in_channels, *widths]
        self.convolutions = nn.Sequential(
            *(nn.Conv2d(a, b, kernel, bias=False) for a, b in zip(channels, widths, strict=False))
        )
        self.pool = MeanPool(1)
        self.head = nn.Linear(channels[-1], outputs, bias=False)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Redraw all parameters in place."""
        reset_layers(self, {nn.Conv2d: draw_normal, nn.Linear: draw_normal})

    def features(self, x: Tensor) -> Tensor:
        """Return the mean of each channel, of shape (B, widths[-1])."""
        return self.pool(self.convolutions(x))
