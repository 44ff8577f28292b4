"""Pooling that is deterministic everywhere, against torch's own, which is not on GPUs."""

import pytest
import torch
from hydra.utils import instantiate
from torch import nn

from conf.blocks import HERE, choices_of, content_of
from lightning_modules.layers.pooling import GlobalMax, MeanPool, ResponseNorm

REFUSED = (  # by torch.use_deterministic_algorithms, in the backward pass on CUDA
    nn.AdaptiveAvgPool1d, nn.AdaptiveAvgPool2d, nn.AdaptiveAvgPool3d, nn.AdaptiveMaxPool1d,
    nn.AdaptiveMaxPool2d, nn.AdaptiveMaxPool3d, nn.AvgPool3d, nn.MaxPool3d, nn.LocalResponseNorm,
    nn.FractionalMaxPool2d, nn.MaxUnpool2d, nn.ReflectionPad2d, nn.ReplicationPad2d, nn.Upsample,
)  # fmt: skip


@pytest.mark.parametrize("side", [1, 2, 7])
@pytest.mark.parametrize("size", [(1, 1), (5, 5), (7, 7), (14, 9), (16, 16)])
def test_means_are_those_of_torch_with_their_gradients(side, size):
    x = torch.randn(2, 3, *size, dtype=torch.float64, requires_grad=True)
    ours, theirs = MeanPool(side)(x), nn.AdaptiveAvgPool2d(side)(x).flatten(1)
    torch.testing.assert_close(ours, theirs)
    weight = torch.randn_like(ours)
    gradients = [torch.autograd.grad((y * weight).sum(), x)[0] for y in (ours, theirs)]
    torch.testing.assert_close(*gradients)


def test_maxima_are_those_of_torch_with_their_gradients():
    x = torch.randn(2, 3, 5, 4, requires_grad=True)
    ours, theirs = GlobalMax()(x), nn.AdaptiveMaxPool2d(1)(x).flatten(1)
    assert torch.equal(ours, theirs)
    assert torch.equal(*(torch.autograd.grad(y.sum(), x)[0] for y in (ours, theirs)))


@pytest.mark.parametrize("size", [1, 2, 5])
def test_responses_are_those_of_torch(size):
    x = 30 * torch.randn(2, 7, 3, 3, dtype=torch.float64)
    torch.testing.assert_close(
        ResponseNorm(size, 0.1, 0.6, 2.0)(x), nn.LocalResponseNorm(size, 0.1, 0.6, 2.0)(x)
    )


@pytest.mark.parametrize("name", sorted({*choices_of(HERE / "model")} - {"none"}))
def test_no_network_has_a_layer_that_deterministic_training_refuses(name):
    node = content_of(f"model/{name}")["network"]
    with torch.device("meta"):
        network = instantiate(node, in_channels=3, size=32, outputs=10, _convert_="all")
    assert not [name for name, layer in network.named_modules() if isinstance(layer, REFUSED)]
