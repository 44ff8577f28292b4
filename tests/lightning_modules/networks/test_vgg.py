import pytest
import torch
from torch import nn

from lightning_modules.networks.vgg import VGG

from .counting import count


@pytest.mark.parametrize(
    ("depth", "plain", "batch"),
    [
        (11, 132_863_336, 132_868_840),
        (13, 133_047_848, 133_053_736),
        (16, 138_357_544, 138_365_992),
        (19, 143_667_240, 143_678_248),
    ],
)
def test_published_parameter_counts_on_imagenet(depth, plain, batch):
    assert count(VGG, 3, 224, 1000, depth=depth) == plain
    assert count(VGG, 3, 224, 1000, depth=depth, norm="batch") == batch


@pytest.mark.parametrize(
    ("channels", "outputs", "batch", "none"),
    [
        (1, 1, 9_750_657, 9_745_153),
        (1, 2, 9_751_170, 9_745_666),
        (3, 2, 9_752_322, 9_746_818),
        (3, 10, 9_756_426, 9_750_922),
    ],
)
def test_published_parameter_counts_of_the_small_one(channels, outputs, batch, none):
    options = {"depth": 11, "classifier": "small"}
    assert count(VGG, channels, 32, outputs, norm="batch", **options) == batch
    assert count(VGG, channels, 32, outputs, norm="none", **options) == none


def test_the_law_of_the_small_one():
    torch.manual_seed(0)
    network = VGG(1, 32, 2, depth=11, classifier="small")
    last = [m for m in network.modules() if isinstance(m, nn.Conv2d)][-1]
    linear = network.classifier[0]
    for _ in range(2):
        assert last.weight.var().item() == pytest.approx(2 / (9 * 512), rel=0.01)
        assert (last.bias == 0).all()
        assert linear.weight.abs().max() <= 512**-0.5
        network.reset_parameters()


def test_the_law_of_the_classifier_on_imagenet():
    torch.manual_seed(0)
    with torch.device("meta"):
        network = VGG(1, 32, 2, depth=11)  # 129 million parameters: draw one layer's only
    linear = network.classifier[3].to_empty(device="cpu")
    network.reset_parameters()
    assert linear.weight.std().item() == pytest.approx(0.01, rel=0.01)
    assert (linear.bias == 0).all()


def test_gelu_is_everywhere():
    with torch.device("meta"):
        kinds = [type(m) for m in VGG(1, 32, 2, depth=16, activation="gelu").modules()]
    assert kinds.count(nn.GELU) == 13 + 2
    assert nn.ReLU not in kinds


@pytest.mark.parametrize("size", [32, 45, 64])
def test_other_sizes_are_averaged_to_one_pixel(size):
    network = VGG(1, size, 2, depth=11, classifier="small").eval()
    assert network.features(torch.rand(1, 1, size, size)).shape == (1, 512)


def test_wrong_arguments_are_refused():
    with pytest.raises(ValueError, match=r"size=28.*at least 32.*data\.size=32"):
        VGG(1, 28, 2, classifier="small")
    with pytest.raises(ValueError, match="11, 13, 16, 19"):
        VGG(1, 32, 2, depth=12)
