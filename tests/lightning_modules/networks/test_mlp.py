import pytest
import torch
from torch import nn

from lightning_modules.networks.mlp import MLP

from .counting import count


@pytest.mark.parametrize(
    ("channels", "outputs", "published"),
    [(1, 1, 112701), (1, 2, 112802), (3, 2, 317602), (3, 10, 318410)],
)
def test_published_parameter_counts(channels, outputs, published):
    assert count(MLP, in_channels=channels, size=32, outputs=outputs) == published


@pytest.mark.parametrize(
    ("widths", "channels", "with_bias", "without"),
    [
        ((512,), 3, 1_209_866, 1_209_344),
        ((512,), 1, 407_050, 406_528),
        ((512, 512, 512), 3, 1_735_178, 1_733_632),
        ((512, 512, 512), 1, 932_362, 930_816),
    ],
)
def test_published_counts_at_28_pixels(widths, channels, with_bias, without):
    assert count(MLP, channels, 28, 10, widths=widths) == with_bias
    assert count(MLP, channels, 28, 10, widths=widths, bias=False) == without


def test_no_hidden_layer_is_the_linear_classifier():
    network = MLP(in_channels=3, size=4, outputs=2, widths=())
    x = torch.rand(5, 3, 4, 4)
    expected = x.flatten(1) @ network.head.weight.T + network.head.bias
    torch.testing.assert_close(network(x), expected)


def test_glorot_has_its_variance_and_zero_biases():
    torch.manual_seed(0)
    network = MLP(in_channels=3, size=16, outputs=10, widths=(512,), init="glorot")
    first = network.hidden[1]
    # 393216 weights: the variance's relative standard error is sqrt(2/393216) = 0.2 %
    assert first.weight.var().item() == pytest.approx(2 / (768 + 512), rel=0.01)
    assert all((m.bias == 0).all() for m in network.modules() if isinstance(m, nn.Linear))


def test_default_is_uniform_in_the_fan_in():
    torch.manual_seed(0)
    first = MLP(in_channels=3, size=16, outputs=10, widths=(512,)).hidden[1]
    bound = 768**-0.5
    assert first.weight.abs().max() <= bound
    assert first.weight.var().item() == pytest.approx(bound**2 / 3, rel=0.01)


def test_an_empty_layer_is_refused():
    with pytest.raises(ValueError, match="at least 1 unit"):
        MLP(in_channels=1, size=8, outputs=2, widths=(10, 0))
