import pytest
import torch
from torch import nn

from callbacks.taps import tap
from lightning_modules.networks.lenet import LeNet
from lightning_modules.networks.normalize import Normalize
from lightning_modules.networks.pipeline import Pipeline
from lightning_modules.networks.resnet import ResNet
from lightning_modules.networks.vgg import VGG

X = torch.rand(2, 1, 32, 32, generator=torch.Generator().manual_seed(0))


@pytest.mark.parametrize("wrapped", [False, True])
def test_penultimate_is_what_features_gives(wrapped):
    network, normalize = LeNet(1, 32, 2), Normalize("image" if wrapped else "none")
    model = Pipeline(normalize, network) if wrapped else network
    with tap(model, ["penultimate"]) as captured:
        model(X)
    torch.testing.assert_close(captured["penultimate"], network.features(normalize(X)))


def test_reference_of_a_resnet_is_the_flattened_maps_of_layer4():
    network = ResNet(1, 32, 2, stem="small").eval()
    with tap(Pipeline(Normalize(), network), ["konz2024", "layer4", "penultimate"]) as captured:
        network(X)
    assert captured["konz2024"].shape == (2, 512 * 4 * 4)
    torch.testing.assert_close(captured["konz2024"], captured["layer4"])
    averaged = captured["layer4"].view(2, 512, 16).mean(2)
    torch.testing.assert_close(averaged, captured["penultimate"])


def test_reference_of_a_vgg_is_the_second_linear_layer_before_its_activation():
    network = VGG(1, 32, 2, depth=11, classifier="small").eval()
    with tap(network, ["konz2024", "penultimate"]) as captured:
        network(X)
    assert captured["konz2024"].min() < 0
    torch.testing.assert_close(captured["konz2024"].relu(), captured["penultimate"])


def test_an_in_place_activation_cannot_change_what_was_captured():
    linear = nn.Linear(1024, 8)
    network = nn.Sequential(nn.Flatten(), linear, nn.ReLU(inplace=True))
    with tap(network, ["1"]) as captured:
        network(X)
    torch.testing.assert_close(captured["1"], linear(X.flatten(1)).detach())
    assert captured["1"].min() < 0


def test_pipelines_own_layers_can_be_tapped_too():
    model = Pipeline(Normalize("image"), LeNet(1, 32, 2))
    with tap(model, ["normalize", "network.convolutions.0", "convolutions.0"]) as captured:
        model(X)
    torch.testing.assert_close(captured["normalize"], model.normalize(X).flatten(1))
    torch.testing.assert_close(captured["network.convolutions.0"], captured["convolutions.0"])


def test_order_of_the_flattened_numbers_does_not_depend_on_memory_format():
    network = nn.Sequential(nn.Conv2d(1, 4, 3))
    captures = []
    for memory_format in (torch.contiguous_format, torch.channels_last):
        network.to(memory_format=memory_format)
        with tap(network, ["0"]) as captured:
            network(X.to(memory_format=memory_format))
        captures.append(captured["0"])
    torch.testing.assert_close(*captures)


def test_half_precision_is_widened_and_double_is_kept():
    for dtype, expected in [(torch.bfloat16, torch.float32), (torch.float64, torch.float64)]:
        network = LeNet(1, 32, 2).to(dtype)
        with tap(network, ["penultimate"]) as captured:
            network(X.to(dtype))
        assert captured["penultimate"].dtype == expected
        assert not captured["penultimate"].requires_grad


def test_nothing_stays_behind_even_after_an_error():
    network = LeNet(1, 32, 2)
    with pytest.raises(RuntimeError), tap(network, ["penultimate", "hidden.0"]):
        network(torch.rand(2, 3, 32, 32))
    hooks = [m._forward_hooks or m._forward_pre_hooks for m in network.modules()]
    assert not any(hooks)


def test_unknown_layers_are_refused_with_the_nearest_names():
    with (
        pytest.raises(ValueError, match=r"LeNet has no layer .*convolutions"),
        tap(LeNet(1, 32, 2), ["penultimate", "convolution"]),
    ):
        pass
    with (
        pytest.raises(ValueError, match="did you mean penultimate"),
        tap(LeNet(1, 32, 2), ["penultimte"]),
    ):
        pass
    with (
        pytest.raises(ValueError, match="some are 0, 1"),
        tap(nn.Sequential(nn.Flatten(), nn.ReLU()), ["penultimate"]),  # it has no head
    ):
        pass


def test_a_layer_that_gives_no_tensor_is_named():
    network = nn.Sequential(nn.Flatten(2), nn.LSTM(1024, 4))
    with pytest.raises(TypeError, match="'1' returns a tuple"), tap(network, ["1"]):
        network(X)
