"""VGG networks of 11, 13, 16 and 19 layers."""

from typing import ClassVar, Literal

from torch import Tensor, nn

from lightning_modules.layers.pooling import MeanPool
from lightning_modules.networks.activation import make_activation
from lightning_modules.networks.convolution import draw_kaiming, make_batch_norm
from lightning_modules.networks.network import DrawLayer, Network, require_size, reset_layers

CONVOLUTIONS = {  # 3x3 convolutions in each of the five stages (configurations A, B, D, E)
    11: (1, 1, 2, 2, 2),
    13: (2, 2, 2, 2, 2),
    16: (2, 2, 3, 3, 3),
    19: (2, 2, 4, 4, 4),
}


def draw_gaussian(layer: nn.Linear) -> None:
    """Draw a linear layer from N(0, 0.01^2), in place, its biases zero."""
    nn.init.normal_(layer.weight, std=0.01)
    nn.init.zeros_(layer.bias)


class VGG(Network):
    """VGG (Simonyan & Zisserman 2015): stages of 3x3 convolutions, each ending with a max-pool.

    `classifier="imagenet"` pools the maps to 7x7 and has two hidden layers of 4096, drawn from
    N(0, 0.01^2); `small` is Movahedi et al.'s for 32 px: maps averaged to one pixel (at 32 px they
    are one pixel), two hidden layers of 512 with torch's default initialisation. The convolutions
    have biases, drawn as zero, and weights from N(0, 2 / (9 x channels out)). At least 32 px.

    The tap `konz2024` is the second hidden layer before its activation, as Konz & Mazurowski's
    published code read it on a GPU.

    Args:
        depth: number of layers with weights.
        classifier: `imagenet` or `small`, see above.
        norm: `batch` after every convolution, or `none`.
        activation: after every layer but the last.
        dropout: fraction of hidden units dropped in training.

    >>> sum(p.numel() for p in VGG(3, 32, 10, depth=11, classifier="small").parameters())
    9750922
    """

    taps: ClassVar[dict[str, str]] = {"konz2024": "classifier.3"}

    def __init__(
        self,
        in_channels: int,
        size: int,
        outputs: int,
        depth: Literal[11, 13, 16, 19] = 16,
        classifier: Literal["imagenet", "small"] = "imagenet",
        norm: Literal["batch", "none"] = "none",
        activation: Literal["relu", "gelu"] = "relu",
        dropout: float = 0.5,
    ) -> None:
        super().__init__()
        if depth not in CONVOLUTIONS:
            known = ", ".join(map(str, CONVOLUTIONS))
            raise ValueError(f"depth={depth} does not exist; use one of {known}")
        require_size(size, 32, "VGG")
        self.symmetries = ("channels", "d4" if size % 32 == 0 else "transpose")
        self.imagenet = classifier == "imagenet"
        self.convolutions = nn.Sequential()
        channels = in_channels
        for convolutions, width in zip(CONVOLUTIONS[depth], (64, 128, 256, 512, 512), strict=True):
            for _ in range(convolutions):
                self.convolutions.append(nn.Conv2d(channels, width, 3, padding=1))
                self.convolutions.append(make_batch_norm(norm, width))
                self.convolutions.append(make_activation(activation))
                channels = width
            self.convolutions.append(nn.MaxPool2d(2))
        side, width = (7, 4096) if self.imagenet else (1, 512)
        self.pool = MeanPool(side)
        self.classifier = nn.Sequential(
            nn.Linear(channels * side * side, width),
            make_activation(activation),
            nn.Dropout(dropout),
            nn.Linear(width, width),
            make_activation(activation),
            nn.Dropout(dropout),
        )
        self.head = nn.Linear(width, outputs)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Redraw all parameters in place, according to `classifier`."""
        draws: dict[type[nn.Module], DrawLayer] = {nn.Conv2d: draw_kaiming}
        if self.imagenet:
            draws[nn.Linear] = draw_gaussian
        reset_layers(self, draws)

    def features(self, x: Tensor) -> Tensor:
        """Return the second hidden layer, of shape (B, 4096), or (B, 512) when small."""
        return self.classifier(self.pool(self.convolutions(x)))
