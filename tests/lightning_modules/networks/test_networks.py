"""What holds for every network, whatever it is made of."""

import copy

import pytest
import torch
from torch import nn

from callbacks.taps import tap
from lightning_modules.networks.aol_mlp import AOLMLP
from lightning_modules.networks.lcn import LCN
from lightning_modules.networks.lenet import LeNet
from lightning_modules.networks.mlp import MLP
from lightning_modules.networks.resnet import ResNet
from lightning_modules.networks.simple_convnet import SimpleConvNet
from lightning_modules.networks.small_alexnet import SmallAlexNet
from lightning_modules.networks.small_inception import SmallInception
from lightning_modules.networks.vgg import VGG
from lightning_modules.networks.vit import ViT

SMALL_VIT = {"patch": 8, "dim": 24, "depth": 2, "heads": 3, "mlp": 48}
SMALL_LCN = {"base": 4, "blocks": 2, "depth": 1, "init": "orthogonal"}
NETWORKS = {  # name: (class, size, options); the smallest of each that has every kind of layer
    "mlp": (MLP, 8, {"widths": (16, 8)}),
    "mlp-glorot": (MLP, 8, {"widths": (16,), "bias": False, "init": "glorot"}),
    "lenet": (LeNet, 16, {}),
    "lenet-max-gelu": (LeNet, 16, {"pool": "max", "activation": "gelu"}),
    "resnet18": (ResNet, 16, {"depth": 18}),
    "resnet18-small": (ResNet, 8, {"stem": "small", "norm": "none", "init": "default"}),
    "vgg11": (VGG, 32, {"depth": 11, "classifier": "small", "norm": "batch"}),
    "vit": (ViT, 16, SMALL_VIT),
    "vit-none": (ViT, 16, SMALL_VIT | {"norm": "none", "activation": "relu"}),
    "small_alexnet": (SmallAlexNet, 16, {}),
    "small_alexnet-repo": (SmallAlexNet, 16, {"variant": "repo"}),
    "small_inception": (SmallInception, 16, {}),
    "small_inception-repo": (SmallInception, 16, {"variant": "repo"}),
    "simple_convnet": (SimpleConvNet, 16, {"width": 8}),
    "aol_mlp": (AOLMLP, 8, {"width": 64, "depth": 3, "init": "orthogonal"}),
    "lcn-aol": (LCN, 7, SMALL_LCN),
    "lcn-cpl": (LCN, 8, SMALL_LCN | {"layer": "cpl"}),
    "lcn-sll": (LCN, 8, SMALL_LCN | {"layer": "sll"}),
}
LINEAR_HEADS = [name for name, (kind, *_) in NETWORKS.items() if kind not in (AOLMLP, LCN)]


def make(name, channels=1, outputs=2, seed=0):
    network, size, options = NETWORKS[name]
    torch.manual_seed(seed)
    return network(in_channels=channels, size=size, outputs=outputs, **options)


def images(name, channels=1, batch=2):
    size = NETWORKS[name][1]
    return torch.rand(batch, channels, size, size, generator=torch.Generator().manual_seed(1))


@pytest.fixture(params=NETWORKS)
def name(request):
    return request.param


@pytest.mark.parametrize("channels", [1, 3])
def test_every_parameter_learns_and_the_input_has_a_gradient(name, channels):
    network = make(name, channels, outputs=3)
    x = images(name, channels).requires_grad_()
    scores = network(x)
    scores.square().sum().backward()
    assert scores.shape == (2, 3)
    assert x.grad.abs().sum() > 0
    untouched = [key for key, p in network.named_parameters() if p.grad is None]
    assert not untouched


def test_head_reads_features_and_taps_give_what_they_say(name):
    network = make(name).eval()
    x = images(name)
    features = network.features(x)
    assert isinstance(network.head, nn.Linear) == (name in LINEAR_HEADS)
    assert features.shape == (2, next(network.head.parameters()).shape[1])
    aliases = ["penultimate", *network.taps]
    with tap(network, aliases) as captured:
        scores = network(x)
    torch.testing.assert_close(scores, network.head(features), rtol=0, atol=0)
    torch.testing.assert_close(captured["penultimate"], features, rtol=0, atol=0)
    assert set(captured) == set(aliases)


def test_nothing_is_overwritten_in_place(name):
    network = make(name)
    outputs, copies = [], []

    def keep(module, inputs, output):
        outputs.append(output)
        copies.append(output.detach().clone())

    for module in network.modules():
        module.register_forward_hook(keep)
    network(images(name))
    assert len(outputs) > 3
    assert all(torch.equal(a, b) for a, b in zip(outputs, copies, strict=True))


def test_a_seed_gives_the_same_network_and_a_redraw_another(name):
    first, again = make(name), make(name)
    torch.testing.assert_close(first.state_dict(), again.state_dict(), rtol=0, atol=0)
    torch.manual_seed(5)
    first.reset_parameters()
    torch.manual_seed(5)
    again.reset_parameters()
    torch.testing.assert_close(first.state_dict(), again.state_dict(), rtol=0, atol=0)
    head, other = next(first.head.parameters()), next(make(name).head.parameters())
    assert not torch.equal(head, other)


def test_a_redraw_forgets_everything_and_keeps_the_law(name):
    network, fresh = make(name), make(name, seed=1)
    with torch.no_grad():
        for value in network.state_dict().values():
            value.fill_(7)
    torch.manual_seed(2)
    network.reset_parameters()
    for (key, mine), other in zip(
        network.state_dict().items(), fresh.state_dict().values(), strict=True
    ):
        if mine.numel() < 2 or other.float().std() == 0:  # a constant: scales, counters
            assert torch.equal(mine, other), key
        elif mine.numel() < 64:  # too few for a law
            assert mine.abs().max() < 1, key
        else:
            # 6 standard errors of the root mean square of numel uniform or normal numbers
            spread = 6 * mine.numel() ** -0.5
            rms = (mine.square().mean() / other.square().mean()).sqrt().item()
            assert rms == pytest.approx(1, abs=spread), key


def test_channels_last_gives_the_same_numbers(name):
    network, x = make(name, channels=3).eval().double(), images(name, channels=3).double()
    expected = network(x)
    network.to(memory_format=torch.channels_last)
    actual = network(x.to(memory_format=torch.channels_last))
    torch.testing.assert_close(actual, expected)


def test_copies_and_saved_states_are_the_same_function(name, tmp_path):
    network, x = make(name).eval(), images(name)
    torch.save(network.state_dict(), tmp_path / "state.pt")
    restored = make(name, seed=9).eval()
    restored.load_state_dict(torch.load(tmp_path / "state.pt", weights_only=True))
    for other in (copy.deepcopy(network), restored):
        torch.testing.assert_close(other(x), network(x), rtol=0, atol=0)


def test_per_sample_jacobians_by_vmap_are_those_of_backward(name):
    network, x = make(name).eval().double(), images(name).double()
    batched = torch.func.vmap(torch.func.jacrev(lambda image: network(image[None])[0]))(x)
    x.requires_grad_()
    for output, scores in enumerate(network(x).T):
        (gradient,) = torch.autograd.grad(scores.sum(), x, retain_graph=True)
        torch.testing.assert_close(batched[:, output], gradient)


def test_many_sets_of_weights_at_once(name):
    networks, x = [make(name, seed=seed).eval() for seed in range(2)], images(name)
    parameters, buffers = torch.func.stack_module_state(networks)
    together = torch.func.vmap(lambda p, b: torch.func.functional_call(networks[0], (p, b), (x,)))(
        parameters, buffers
    )
    for scores, network in zip(together, networks, strict=True):
        torch.testing.assert_close(scores, network(x), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", LINEAR_HEADS)
def test_forward_mode_over_reverse_mode(name):
    network, x = make(name).eval().double(), images(name).double()
    weight = network.head.weight

    def gradient(head):
        return torch.func.grad(
            lambda y: torch.func.functional_call(network, {"head.weight": head}, (y,)).sum()
        )(x)

    _, derivative = torch.func.jvp(gradient, (weight,), (weight,))
    torch.testing.assert_close(derivative, gradient(weight))  # the gradient is linear in the head
