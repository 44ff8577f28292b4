import pytest
import torch
from torch import nn

from lightning_modules.networks import attention
from lightning_modules.networks.attention import SelfAttention
from lightning_modules.networks.vit import ViT

from .counting import count

SMALL = {"dim": 16, "depth": 2, "heads": 4, "mlp": 32}


@pytest.mark.parametrize(
    ("channels", "outputs", "layer", "none"),
    [
        (1, 1, 4_020_289, 4_012_993),
        (1, 2, 4_020_482, 4_013_186),
        (3, 2, 4_045_058, 4_037_762),
        (3, 10, 4_046_602, 4_039_306),
    ],
)
def test_published_parameter_counts(channels, outputs, layer, none):
    assert count(ViT, channels, 32, outputs) == layer
    assert count(ViT, channels, 32, outputs, norm="none") == none


def theirs(ours: SelfAttention, dim: int) -> nn.MultiheadAttention:
    reference = nn.MultiheadAttention(dim, ours.heads, batch_first=True)
    with torch.no_grad():
        reference.in_proj_weight.copy_(ours.projection.weight)
        reference.in_proj_bias.copy_(ours.projection.bias)
        reference.out_proj.load_state_dict(ours.out.state_dict())
    return reference


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("tokens", [5, attention.FUSED_FROM])
def test_attention_is_torchs(tokens, training):
    torch.manual_seed(0)
    ours = SelfAttention(16, heads=4).train(training)
    nn.init.normal_(ours.projection.bias)
    x = torch.randn(2, tokens, 16)
    expected, _ = theirs(ours, 16)(x, x, x)
    torch.testing.assert_close(ours(x), expected)


def test_attention_has_the_law_of_torchs():
    torch.manual_seed(0)
    ours, reference = SelfAttention(192, heads=12), nn.MultiheadAttention(192, 12)
    for mine, other in [
        (ours.projection.weight, reference.in_proj_weight),
        (ours.out.weight, reference.out_proj.weight),
    ]:
        assert mine.var().item() == pytest.approx(other.var().item(), rel=0.03)
        assert mine.abs().max().item() == pytest.approx(other.abs().max().item(), rel=0.01)
    assert (ours.projection.bias == 0).all()
    assert (ours.out.bias == 0).all()


def test_it_can_be_differentiated_twice_and_forward_over_reverse():
    torch.manual_seed(0)
    network = ViT(1, 16, 1, **SMALL)
    x = torch.rand(2, 1, 16, 16, requires_grad=True)
    gradient = torch.func.grad(lambda y: network(y).sum())
    (first,) = torch.autograd.grad(network(x).sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(first.square().sum() / 2, x)  # H g
    _, product = torch.func.jvp(gradient, (x.detach(),), (first.detach(),))
    assert second.abs().max() > 0
    torch.testing.assert_close(second, product)


def test_class_token_starts_at_zero_and_positions_small():
    torch.manual_seed(0)
    network = ViT(1, 32, 2)
    for _ in range(2):
        assert (network.class_token == 0).all()
        assert network.positions.std().item() == pytest.approx(0.02, rel=0.05)
        nn.init.ones_(network.class_token)
        network.reset_parameters()


def test_without_positions_the_order_of_patches_does_not_matter():
    torch.manual_seed(0)
    network = ViT(1, 16, 3, **SMALL)
    nn.init.zeros_(network.positions)
    left, right = torch.rand(2, 1, 16, 8), torch.rand(2, 1, 16, 8)
    swapped = network(torch.cat([right, left], dim=3))
    torch.testing.assert_close(network(torch.cat([left, right], dim=3)), swapped)


def test_none_and_relu_reach_every_block():
    with torch.device("meta"):
        kinds = [type(m) for m in ViT(1, 32, 2, norm="none", activation="relu").modules()]
    assert nn.LayerNorm not in kinds
    assert nn.GELU not in kinds
    assert kinds.count(nn.ReLU) == 9


@pytest.mark.parametrize(("size", "patch", "tokens"), [(28, 7, 17), (32, 4, 65), (224, 56, 17)])
def test_other_sizes(size, patch, tokens):
    network = ViT(1, size, 2, patch=patch, **SMALL)
    assert network.positions.shape[1] == tokens
    assert network(torch.rand(1, 1, size, size)).shape == (1, 2)


def test_wrong_arguments_are_refused():
    with pytest.raises(ValueError, match=r"size=28 .* patch=8; use patch=7 .* images of 32 px"):
        ViT(1, 28, 2)
    with pytest.raises(ValueError, match=r"heads=5 does not divide dim=16"):
        ViT(1, 32, 2, dim=16, heads=5)
