import pytest
import torch
from torch import nn

from lightning_modules.layers.aol import AOLLayer
from lightning_modules.layers.max_min import MaxMin
from lightning_modules.networks.aol_mlp import AOLMLP

from .counting import count


@pytest.mark.parametrize(
    ("channels", "size", "width", "published"),
    [(3, 32, 3072, 75_497_472), (1, 28, 1024, 8_388_608), (1, 32, 1024, 8_388_608)],
)
def test_published_parameter_counts(channels, size, width, published):
    assert count(AOLMLP, channels, size, 10, width=width) == published


def test_every_layer_but_the_last_is_followed_by_max_min():
    network = AOLMLP(1, 4, 2, width=16, depth=5)
    kinds = [type(layer) for layer in network.hidden[2:]]
    assert kinds == 4 * [AOLLayer, MaxMin]
    assert isinstance(network.head[0], AOLLayer)


def test_it_begins_by_sorting_the_pixels():
    network = AOLMLP(1, 2, 2, width=6, depth=3)
    x = torch.tensor([[[[0.1, 0.4], [0.3, 0.2]]]])
    torch.testing.assert_close(network(x), torch.tensor([[0.4, 0.1]]), rtol=1e-5, atol=0)


def test_larger_images_enter_a_wider_first_layer():
    network = AOLMLP(3, 8, 10, width=16, depth=2)
    assert network.hidden[2].weight.shape == (16, 192)
    assert network(torch.rand(2, 3, 8, 8)).shape == (2, 10)


def test_one_layer_is_a_linear_classifier():
    network = AOLMLP(1, 4, 2, width=16, depth=1)
    assert not [m for m in network.modules() if isinstance(m, MaxMin)]
    assert isinstance(network.hidden[0], nn.Flatten)


@pytest.mark.parametrize("options", [{"width": 15}, {"width": 8}, {"depth": 0}])
def test_impossible_shapes_are_refused(options):
    with pytest.raises(ValueError, match="even width of at least the 10 scores"):
        AOLMLP(1, 4, 10, **{"width": 16, "depth": 2} | options)
