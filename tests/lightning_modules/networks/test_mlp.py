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


def trained_head(weight_decay: float) -> tuple[torch.Tensor, torch.Tensor]:
    """Sum of the head's rows before and after 30 steps of SGD on random labels."""
    generator = torch.Generator().manual_seed(0)
    x, y = torch.randn(64, 1, 8, 8, generator=generator), torch.arange(64) % 10
    network = MLP(in_channels=1, size=8, outputs=10, widths=(32,))
    before = network.head.weight.detach().sum(0)
    optimizer = torch.optim.SGD(network.parameters(), 0.1, 0.9, weight_decay=weight_decay)
    for _ in range(30):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(network(x), y).backward()
        optimizer.step()
    return before, network.head.weight.detach().sum(0)


def test_plain_sgd_never_changes_the_sum_of_the_heads_rows_and_weight_decay_does():
    """Why spectra have a left mode of mass 1/C: one direction of the logits is not learned."""
    before, after = trained_head(weight_decay=0.0)
    assert torch.allclose(before, after, atol=1e-5)
    before, after = trained_head(weight_decay=0.05)
    assert after.norm() < 0.9 * before.norm()
