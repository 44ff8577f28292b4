"""Every choice of `model` names a network of ours with its published parameter count."""

import inspect
from dataclasses import fields

import pytest
import torch
from hydra.utils import get_class, instantiate

from conf.blocks import HERE, choices_of, content_of
from conf.schema import Model

COUNTS = {  # name: (size, outputs, parameters for 3 channels)
    "resnet18": (224, 1000, 11_689_512),
    "resnet34": (224, 1000, 21_797_672),
    "resnet50": (224, 1000, 25_557_032),
    "resnet18_small": (32, 10, 11_173_962),
    "resnet18_plain": (32, 10, 11_164_362),
    "vgg11": (32, 10, 9_750_922),
    "vgg13": (224, 1000, 133_047_848),
    "vgg16": (224, 1000, 138_357_544),
    "vgg19": (224, 1000, 143_667_240),
    "lenet": (32, 10, 62_006),
    "small_lenet": (32, 10, 48_547),
    "vit": (32, 10, 4_046_602),
    "vit_plain": (32, 10, 4_039_306),
    "perceptron": (32, 2, 3072 * 64 + 64 * 2),
    "linear_convnet": (32, 2, 3 * 25 * 64 + 64 * 2),
    "mlp": (32, 10, 318_410),
    "mlp_1x512": (28, 10, 1_209_866),
    "mlp_3x512": (28, 10, 1_735_178),
    "small_alexnet": (28, 10, 1_387_786),
    "small_inception": (28, 10, 1_649_402),
    "simple_convnet": (32, 10, 4_692_416),
    "aol_mlp": (32, 10, 75_497_472),
    "aol_mlp_small": (32, 10, 983_040),
    "lcn_aol": (32, 10, 41_910_272),
    "lcn_cpl": (32, 10, 41_918_336),
    "lcn_small": (32, 10, 654_848),
    "lcn_cpl_small": (32, 10, 16_384),
    "simple_convnet_small": (32, 10, 74_488),
}


@pytest.mark.parametrize("name", COUNTS)
def test_it_builds_the_published_network(name):
    size, outputs, published = COUNTS[name]
    config = content_of(f"model/{name}")
    with torch.device("meta"):
        network = instantiate(config["network"], in_channels=3, size=size, outputs=outputs)
    assert sum(p.numel() for p in network.parameters()) == published


@pytest.mark.parametrize("name", COUNTS)
def test_it_shows_every_option_of_its_network(name):
    config = content_of(f"model/{name}")
    assert config["name"] == name
    known = {"presets", "protocols", *(field.name for field in fields(Model))}
    assert {"name", "network", "lr", "batch_size"} <= set(config) <= known
    options = list(inspect.signature(get_class(config["network"]["_target_"])).parameters)
    assert options[:3] == ["in_channels", "size", "outputs"]
    assert [key for key in config["network"] if key != "_target_"] == options[3:]


def test_no_network_is_left_out():
    assert set(choices_of(HERE / "model")) - {"none"} == set(COUNTS)
