"""Residual networks of 18, 34 and 50 layers."""

from typing import ClassVar, Literal

from torch import Tensor, nn

from lightning_modules.layers.pooling import MeanPool
from lightning_modules.networks.activation import make_activation
from lightning_modules.networks.convolution import draw_kaiming, make_batch_norm
from lightning_modules.networks.network import Network, reset_layers

BLOCKS = {18: (2, 2, 2, 2), 34: (3, 4, 6, 3), 50: (3, 4, 6, 3)}  # blocks in each of the four stages


class ResidualBlock(nn.Module):
    """activation(branch(x) + shortcut(x)); the shortcut is a 1x1 convolution where shapes change.

    Args:
        channels: channels of the input.
        width: channels of the 3x3 convolutions.
        stride: of the block, applied by the first 3x3 convolution.
        bottleneck: False is 3x3, 3x3; True is 1x1, 3x3, 1x1 to 4 x `width` channels.
        norm: `batch` or `none`, after every convolution, the shortcut's too.
        activation: `relu` or `gelu`.
    """

    def __init__(
        self, channels: int, width: int, stride: int, bottleneck: bool, norm: str, activation: str
    ) -> None:
        super().__init__()
        if bottleneck:
            layers = [(width, 1, 1), (width, 3, stride), (4 * width, 1, 1)]
        else:
            layers = [(width, 3, stride), (width, 3, 1)]
        branch: list[nn.Module] = []
        before = channels
        for after, kernel, step in layers:
            convolution = nn.Conv2d(before, after, kernel, step, padding=kernel // 2, bias=False)
            branch += [convolution, make_batch_norm(norm, after), make_activation(activation)]
            before = after
        self.branch = nn.Sequential(*branch[:-1])  # the last activation comes after the sum
        self.shortcut = nn.Sequential()
        if stride != 1 or channels != before:
            self.shortcut.append(nn.Conv2d(channels, before, 1, stride, bias=False))
            self.shortcut.append(make_batch_norm(norm, before))
        self.activation = make_activation(activation)

    def forward(self, x: Tensor) -> Tensor:
        """Return the block's output, of shape (B, channels, H / stride, W / stride)."""
        return self.activation(self.branch(x) + self.shortcut(x))


class ResNet(Network):
    """Residual network (He et al. 2016), with the stem of ImageNet or one for small images.

    With the defaults it is the usual 7x7 stride 2 and max-pool network, its bottlenecks with the
    stride in the 3x3 convolution. `stem="small"` is Movahedi et al.'s for 32 px: 3x3, stride 1.
    The convolutions have no biases even without normalisation, so that with `relu` the gradient
    does not depend on the scale of x. Images may have any size.

    Args:
        depth: 18 and 34 have blocks of two 3x3 convolutions, 50 has bottlenecks.
        stem: `imagenet` divides the size by 4 before the first block, `small` keeps it.
        norm: `batch`, or `none` in the stem, all blocks and all shortcuts.
        activation: in the stem and all blocks.
        block_activation: in the blocks, if different; Movahedi et al.'s published code has `relu`
            there with `gelu` in the stem.
        init: of the convolutions: `kaiming` is N(0, 2 / (kernel^2 x channels out)), `default` is
            torch's own, which Movahedi et al. use.

    >>> sum(p.numel() for p in ResNet(in_channels=3, size=224, outputs=1000).parameters())
    11689512
    """

    taps: ClassVar[dict[str, str]] = {"konz2024": "layer4"}

    def __init__(
        self,
        in_channels: int,
        size: int,
        outputs: int,
        depth: Literal[18, 34, 50] = 18,
        stem: Literal["imagenet", "small"] = "imagenet",
        norm: Literal["batch", "none"] = "batch",
        activation: Literal["relu", "gelu"] = "relu",
        block_activation: Literal["relu", "gelu"] | None = None,
        init: Literal["kaiming", "default"] = "kaiming",
    ) -> None:
        super().__init__()
        if depth not in BLOCKS:
            raise ValueError(
                f"depth={depth} does not exist; use one of {', '.join(map(str, BLOCKS))}"
            )
        self.init = init
        self.symmetries = ("channels", "transpose")  # padding at stride 2 is one-sided: no mirrors
        imagenet = stem == "imagenet"
        self.stem = nn.Sequential(
            nn.Conv2d(in_channels, 64, 7, 2, padding=3, bias=False)
            if imagenet
            else nn.Conv2d(in_channels, 64, 3, padding=1, bias=False),
            make_batch_norm(norm, 64),
            make_activation(activation),
            nn.MaxPool2d(3, 2, padding=1) if imagenet else nn.Identity(),
        )
        bottleneck = depth == 50
        channels = 64
        stages = []
        for blocks, width in zip(BLOCKS[depth], (64, 128, 256, 512), strict=True):
            stage = nn.Sequential()
            for block in range(blocks):
                stride = 2 if block == 0 and width > 64 else 1
                inside = block_activation or activation
                stage.append(ResidualBlock(channels, width, stride, bottleneck, norm, inside))
                channels = 4 * width if bottleneck else width
            stages.append(stage)
        self.layer1, self.layer2, self.layer3, self.layer4 = stages
        self.pool = MeanPool(1)
        self.head = nn.Linear(channels, outputs)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Redraw all parameters in place by `init`; the head has torch's default initialisation."""
        reset_layers(self, {nn.Conv2d: draw_kaiming} if self.init == "kaiming" else {})

    def features(self, x: Tensor) -> Tensor:
        """Return the averaged maps of the last block, of shape (B, 512), or (B, 2048) at 50."""
        maps = self.layer4(self.layer3(self.layer2(self.layer1(self.stem(x)))))
        return self.pool(maps)
