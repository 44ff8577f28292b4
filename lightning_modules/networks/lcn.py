"""Convolutional 1-Lipschitz network."""

from typing import Literal

import torch.nn.functional as F
from torch import Tensor, nn

from lightning_modules.layers.aol import AOLLayer
from lightning_modules.layers.channels import FirstChannels, ZeroChannels
from lightning_modules.layers.cpl import CPLLayer
from lightning_modules.layers.max_min import MaxMin
from lightning_modules.layers.pooling import GlobalMax
from lightning_modules.layers.sll import SLLLayer
from lightning_modules.networks.network import Network


class LCN(Network):
    """LCN (Prach & Lampert 2025): 1-Lipschitz convolutions, MaxMin, no pooling between.

    Zero channels up to `base`, a 1x1 convolution, then `blocks` times `depth` 3x3 convolutions of
    equal width and a step down: half of the channels are kept and every 2x2 patch becomes four
    channels, so the side halves and the channels double. The result is max-pooled to one pixel;
    then a linear layer of that width, whose first `outputs` numbers are the scores.
    MaxMin after every convolution. After normalisation images are padded with zeros to a multiple
    of 2^blocks: 28 px to 32.

    Reading it: 1-Lipschitz, see `AOLMLP`. Published certified accuracy at 36/255 after a day of
    training on CIFAR-10: 65 % with CPL layers, 61 % with AOL layers.

    Args:
        layer: `aol`, `cpl` or `sll`.
        base: channels of the first block, even, at least those of the images; 64 for CIFAR-10, 16
            for MNIST.
        blocks: number of blocks.
        depth: convolutions of a block.
        init: of AOL layers, `identity` or `orthogonal`; CPL and SLL have torch's initialisation.
            With `identity` the added zero channels stay 0, see `AOLMLP`.

    >>> network = LCN(in_channels=3, size=32, outputs=10, base=4)
    >>> sum(p.numel() for p in network.parameters()), network.lipschitz
    (163712, 1.0)
    """

    def __init__(
        self,
        in_channels: int,
        size: int,
        outputs: int,
        layer: Literal["aol", "cpl", "sll"] = "aol",
        base: int = 64,
        blocks: int = 5,
        depth: int = 3,
        init: Literal["identity", "orthogonal"] = "identity",
    ) -> None:
        super().__init__()
        self.lipschitz = 1.0
        width = base * 2**blocks
        if base % 2 or base < in_channels or width < outputs:
            raise ValueError(
                f"base={base}, blocks={blocks}: need an even base of at least the {in_channels} "
                f"channels of the images, and base x 2^blocks of at least the {outputs} scores"
            )

        def make(channels: int, kernel_size: int | None = None) -> nn.Module:
            if layer == "aol":
                return AOLLayer(channels, channels, kernel_size, init)
            return (CPLLayer if layer == "cpl" else SLLLayer)(channels, kernel_size)

        self.missing = -size % 2**blocks  # rows and columns of zeros to add
        self.body = nn.Sequential(ZeroChannels(base), make(base, 1), MaxMin())
        for block in range(blocks):
            channels = base * 2**block
            for _ in range(depth):
                self.body.append(make(channels, 3))
                self.body.append(MaxMin())
            self.body.append(FirstChannels(channels // 2))
            self.body.append(nn.PixelUnshuffle(2))
        self.pool = GlobalMax()
        self.head = nn.Sequential(make(width), FirstChannels(outputs))

    def features(self, x: Tensor) -> Tensor:
        """Return the maxima of the last maps, of shape (B, base x 2^blocks)."""
        before = self.missing // 2
        after = self.missing - before
        return self.pool(self.body(F.pad(x, (before, after, before, after))))
