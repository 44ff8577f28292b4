"""Shared by convolutional networks: normalisation by name and He initialisation."""

from torch import nn

from lightning_modules.layers.global_batch_norm import GlobalBatchNorm2d


def make_batch_norm(name: str, channels: int) -> nn.Module:
    """Build batch normalisation over `channels`, or the identity when `name` is `none`."""
    return GlobalBatchNorm2d(channels) if name == "batch" else nn.Identity()


def draw_kaiming(layer: nn.Conv2d) -> None:
    """Draw a convolution from N(0, 2 / (kernel^2 x channels out)), in place, its biases zero.

    He et al. 2015, by fan-out: the distribution of ImageNet's residual and VGG networks.
    """
    nn.init.kaiming_normal_(layer.weight, mode="fan_out", nonlinearity="relu")
    if layer.bias is not None:
        nn.init.zeros_(layer.bias)
