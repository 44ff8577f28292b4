"""Weights with torchvision's names give torchvision's logits."""

import pytest
import torch

from lightning_modules.networks.lenet import LeNet
from lightning_modules.networks.resnet import ResNet
from lightning_modules.networks.vgg import VGG
from lightning_modules.networks.vit import ViT
from lightning_modules.pretrained.load import load_pretrained
from tests.lightning_modules.pretrained import reference

X = torch.rand(2, 3, 64, 64, generator=torch.Generator().manual_seed(0))
SMALL_VIT = {"size": 32, "patch": 8, "dim": 48, "depth": 3, "mlp": 96}


def agree(network, weights, expected, x=X):
    """Whether all weights are loaded and give the expected logits, which are not all equal."""
    said = load_pretrained(network, weights)
    with torch.no_grad():
        scores = network.eval()(x)
    same = torch.allclose(scores, expected, rtol=1e-3, atol=1e-4)
    return said.endswith("tensors loaded, the head included") and same and expected.std() > 1e-3


@pytest.mark.parametrize("depth", [18, 50])
def test_resnet(depth):
    weights = reference.resnet(depth, 7)
    assert agree(
        ResNet(3, 64, 7, depth=depth), weights, reference.resnet_forward(weights, X, depth)
    )


@pytest.mark.parametrize("norm", ["batch", "none"])
def test_vgg(norm):
    weights = reference.vgg11(5, norm == "batch")
    network = VGG(3, 64, 5, depth=11, norm=norm)
    assert agree(network, weights, reference.vgg11_forward(weights, X, norm == "batch"))


def test_vit():
    weights = reference.vit(4, **SMALL_VIT)
    network = ViT(3, 32, 4, patch=8, dim=48, depth=3, heads=4, mlp=96)
    x = X[..., :32, :32]
    assert agree(network, weights, reference.vit_forward(weights, x, patch=8, heads=4, depth=3), x)


def test_names_of_files_before_torchvision_0_12():
    """Then the layers of a perceptron were called linear_1 and linear_2."""
    weights = reference.vit(4, **SMALL_VIT)
    renamed = {
        name.replace("mlp.0.", "mlp.linear_1.").replace("mlp.3.", "mlp.linear_2."): tensor
        for name, tensor in weights.items()
    }
    one, other = (ViT(3, 32, 4, dim=48, depth=3, heads=4, mlp=96) for _ in range(2))
    load_pretrained(one, weights)
    load_pretrained(other, renamed)
    assert all(torch.equal(a, b) for a, b in zip(one.parameters(), other.parameters(), strict=True))


def test_a_head_of_other_classes_starts_anew():
    weights = reference.resnet(18, 1000)
    network = ResNet(3, 64, 2)
    head = network.head.weight.clone()
    said = load_pretrained(network, weights)
    assert said.endswith("the head has 2 outputs, the file's 1000: it is not loaded")
    assert network.head.weight.equal(head)
    assert network.stem[0].weight.equal(weights["conv1.weight"])


def test_half_precision_and_missing_counters_fit():
    weights = reference.resnet(18, 3)
    old = {
        name: tensor.half() if tensor.is_floating_point() else tensor
        for name, tensor in weights.items()
        if not name.endswith("num_batches_tracked")
    }
    network = ResNet(3, 64, 3)
    load_pretrained(network, old)
    assert network.stem[0].weight.dtype == torch.float32
    assert network.stem[0].weight.equal(weights["conv1.weight"].half().float())


@pytest.mark.parametrize("prefix", ["", "network.network.", "module."])
def test_our_own_names_are_known_with_any_prefix(prefix):
    trained, fresh = LeNet(1, 32, 10), LeNet(1, 32, 10)
    weights = {f"{prefix}{name}": tensor for name, tensor in trained.state_dict().items()}
    assert "the head included" in load_pretrained(fresh, weights)
    x = torch.rand(2, 1, 32, 32)
    assert torch.equal(trained(x), fresh(x))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: ResNet(3, 64, 2, depth=34), "are not in the file"),
        (lambda: ResNet(3, 64, 2, norm="none"), "have no place in this network"),
        (lambda: ResNet(1, 64, 2), r"\[64, 1, 7, 7\] here and \[64, 3, 7, 7\]"),
        (lambda: ResNet(3, 64, 2, stem="small"), "`stem.0.weight` has shape"),
        (lambda: LeNet(1, 32, 2), "It is of another network"),
    ],
)
def test_another_network_is_refused(make, said):
    network = make()
    before = {name: tensor.clone() for name, tensor in network.state_dict().items()}
    with pytest.raises(ValueError, match=said):
        load_pretrained(network, reference.resnet(18, 2))
    after = network.state_dict()
    assert all(after[name].equal(tensor) for name, tensor in before.items())
