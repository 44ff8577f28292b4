import pytest
import torch
from torch import nn

from lightning_modules.networks.simple_convnet import SimpleConvNet

from .counting import count


@pytest.mark.parametrize(
    ("channels", "width", "published"), [(3, 64, 4_692_416), (3, 16, 295_280), (1, 16, 294_992)]
)
def test_published_parameter_counts(channels, width, published):
    assert count(SimpleConvNet, channels, 32, 10, width=width) == published


def test_pools_come_before_the_normalisation():
    layers = list(SimpleConvNet(1, 32, 2, width=2).convolutions)
    pools = [i for i, layer in enumerate(layers) if isinstance(layer, nn.MaxPool2d)]
    assert len(pools) == 3
    for i in pools:
        assert isinstance(layers[i - 1], nn.Conv2d)
        assert isinstance(layers[i + 1], nn.BatchNorm2d)


def test_features_are_the_maxima_of_the_last_maps():
    network = SimpleConvNet(1, 32, 2, width=2).eval()
    maps = network.convolutions(torch.rand(2, 1, 32, 32))
    assert maps.shape == (2, 16, 4, 4)
    torch.testing.assert_close(network.pool(maps), maps.amax((2, 3)))


def test_too_small_images_are_refused():
    with pytest.raises(ValueError, match=r"size=7.*at least 8"):
        SimpleConvNet(1, 7, 2)
