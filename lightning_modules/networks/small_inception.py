"""The small Inception network of the studies of fitting noise."""

from typing import Literal

import torch
from torch import Tensor, nn

from lightning_modules.layers.global_batch_norm import GlobalBatchNorm2d
from lightning_modules.layers.pooling import MeanPool
from lightning_modules.networks.activation import make_activation
from lightning_modules.networks.network import Network, require_size

# (a, b): an Inception block of a 1x1 and b 3x3 filters; (c,): c 3x3 filters that halve the maps.
# fmt: off
BLOCKS = (
    (32, 32), (32, 48), (80,),
    (112, 48), (96, 64), (80, 80), (48, 96), (96,),
    (176, 160), (176, 160),
)
# fmt: on


class Parallel(nn.ModuleList):
    """Branches on the same input, their outputs concatenated along the channels."""

    def forward(self, x: Tensor) -> Tensor:
        """(B, C, H, W) to (B, sum of channels, H', W')."""
        return torch.cat([branch(x) for branch in self], dim=1)


class SmallInception(Network):
    """Inception for 28 px images (Zhang et al. 2017): 11 convolutional blocks, then one average.

    A convolution is followed by batch normalisation and the activation. `zhang` has normalisation
    without scale and shift, padding everywhere and the average over the whole map: 336 features.
    `repo` is Brandao 2023's published code: scale and shift, no padding in the stem and where maps
    are halved, and an average "pool" to 7x7, which at 28 px enlarges maps of 5x5: 16464 features;
    it needs 9 px.

    Args:
        norm: `batch`, or `none` everywhere.
        variant: `zhang` or `repo`, see above.
        activation: after every convolution.

    >>> sum(p.numel() for p in SmallInception(in_channels=3, size=28, outputs=10).parameters())
    1649402
    """

    def __init__(
        self,
        in_channels: int,
        size: int,
        outputs: int,
        norm: Literal["batch", "none"] = "batch",
        variant: Literal["zhang", "repo"] = "zhang",
        activation: Literal["relu", "gelu"] = "relu",
    ) -> None:
        super().__init__()
        zhang = variant == "zhang"
        if not zhang:
            require_size(size, 9, "SmallInception with variant=repo", "variant=zhang")
        padding = 1 if zhang else 0

        def convolution(
            before: int, after: int, kernel: int, stride: int = 1, padding: int = 0
        ) -> nn.Sequential:
            batch = norm == "batch"
            return nn.Sequential(
                nn.Conv2d(before, after, kernel, stride, padding),
                GlobalBatchNorm2d(after, affine=not zhang) if batch else nn.Identity(),
                make_activation(activation),
            )

        channels = 96
        self.stem = convolution(in_channels, channels, 3, padding=padding)
        self.blocks = nn.Sequential()
        for widths in BLOCKS:
            if len(widths) == 2:
                branches: list[nn.Module] = [
                    convolution(channels, widths[0], 1),
                    convolution(channels, widths[1], 3, padding=1),
                ]
                channels = sum(widths)
            else:
                branches = [
                    convolution(channels, widths[0], 3, stride=2, padding=padding),
                    nn.MaxPool2d(3, stride=2, padding=padding),
                ]
                channels += widths[0]
            self.blocks.append(Parallel(branches))
        side = 1 if zhang else 7
        self.pool = MeanPool(side)
        self.head = nn.Linear(channels * side * side, outputs)
        self.reset_parameters()

    def features(self, x: Tensor) -> Tensor:
        """Return the averaged maps, of shape (B, 336), or (B, 16464) in the variant `repo`."""
        return self.pool(self.blocks(self.stem(x)))
