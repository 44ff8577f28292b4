import pytest
import torch

from lightning_modules.networks.lcn import LCN

from .counting import count


@pytest.mark.parametrize(
    ("layer", "base", "published"),
    [
        ("aol", 64, 41_910_272),
        ("cpl", 64, 41_918_336),
        ("aol", 16, 2_619_392),
        ("cpl", 16, 2_621_408),
        ("sll", 16, 2_623_424),  # q beside every bias of CPL
    ],
)
def test_published_parameter_counts(layer, base, published):
    channels, size = (3, 32) if base == 64 else (1, 28)
    assert count(LCN, channels, size, 10, layer=layer, base=base) == published


def test_the_side_halves_and_the_channels_double():
    network = LCN(3, 32, 10, base=4)
    shapes = []
    for layer in network.body:
        layer.register_forward_hook(lambda module, inputs, output: shapes.append(output.shape[1:]))
    assert network.features(torch.rand(1, 3, 32, 32)).shape == (1, 128)
    assert (3, 32, 32) not in shapes
    assert [tuple(s) for s in dict.fromkeys(shapes) if s[0] * s[1] == 128] == [
        (4, 32, 32), (8, 16, 16), (16, 8, 8), (32, 4, 4), (64, 2, 2), (128, 1, 1),
    ]  # fmt: skip


def test_28_px_are_padded_to_32_all_round():
    network, x = LCN(1, 28, 10, base=2), torch.rand(2, 1, 28, 28)
    wider = LCN(1, 32, 10, base=2)
    wider.load_state_dict(network.state_dict())
    padded = torch.zeros(2, 1, 32, 32)
    padded[:, :, 2:30, 2:30] = x
    assert torch.equal(network(x), wider(padded))


def test_larger_images_are_pooled_at_the_end():
    assert LCN(1, 64, 10, base=2)(torch.rand(1, 1, 64, 64)).shape == (1, 10)


@pytest.mark.parametrize("options", [{"base": 3}, {"base": 2}, {"base": 4, "blocks": 1}])
def test_impossible_shapes_are_refused(options):
    with pytest.raises(ValueError, match="even base of at least the 3 channels"):
        LCN(3, 32, 10, **options)
