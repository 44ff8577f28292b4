"""Fully connected 1-Lipschitz network."""

from typing import Literal

from torch import Tensor, nn

from lightning_modules.layers.aol import AOLLayer
from lightning_modules.layers.channels import FirstChannels, ZeroChannels
from lightning_modules.layers.max_min import MaxMin
from lightning_modules.networks.network import Network


class AOLMLP(Network):
    """AOL-MLP (Prach & Lampert 2025): `depth` almost-orthogonal layers of one width.

    The pixels are padded with zeros to `width`, followed by `depth` AOL layers with MaxMin in
    between; the first `outputs` numbers of the last one are the scores. This padding also replaces
    MNIST's published padding from 28 to 32 px. For images of more than `width` numbers the first
    layer has that many inputs.

    Reading it: 1-Lipschitz from its input to its scores, so a margin m certifies the radius
    m / sqrt(2). Published certified accuracy at 36/255 on CIFAR-10: 62 %.

    Args:
        width: of every layer, even, at least `outputs`; 3072 for CIFAR-10, 1024 for MNIST.
        depth: number of layers.
        init: of the layers, `identity` or `orthogonal`. With `identity` units beyond the inputs
            start at 0 with outgoing weights of 0, a saddle point with gradient 0: they have no
            effect.

    >>> network = AOLMLP(in_channels=1, size=8, outputs=10, width=64, depth=3)
    >>> sum(p.numel() for p in network.parameters()), network.lipschitz
    (12288, 1.0)
    """

    def __init__(
        self,
        in_channels: int,
        size: int,
        outputs: int,
        width: int = 3072,
        depth: int = 8,
        init: Literal["identity", "orthogonal"] = "identity",
    ) -> None:
        super().__init__()
        self.lipschitz = 1.0
        if depth < 1 or width % 2 or width < outputs:
            raise ValueError(
                f"width={width}, depth={depth}: need at least 1 layer and an even width of at "
                f"least the {outputs} scores"
            )
        inputs = max(width, in_channels * size * size)
        # the columns of a random orthogonal matrix may be reordered and change their signs
        self.symmetries = ("pixels",) if init == "orthogonal" or inputs > width else ()
        self.hidden = nn.Sequential(nn.Flatten(), ZeroChannels(inputs))
        for _ in range(depth - 1):
            self.hidden.append(AOLLayer(inputs, width, init=init))
            self.hidden.append(MaxMin())
            inputs = width
        self.head = nn.Sequential(AOLLayer(inputs, width, init=init), FirstChannels(outputs))

    def features(self, x: Tensor) -> Tensor:
        """Return the last hidden layer, of shape (B, width)."""
        return self.hidden(x)
