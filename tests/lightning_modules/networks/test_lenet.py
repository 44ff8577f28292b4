import pytest
import torch

from lightning_modules.networks.lenet import LeNet

from .counting import count


@pytest.mark.parametrize(
    ("in_channels", "outputs", "published"),
    [(1, 1, 60941), (1, 2, 61026), (3, 2, 61326), (3, 10, 62006)],
)
def test_published_parameter_counts(in_channels, outputs, published):
    assert count(LeNet, in_channels=in_channels, size=32, outputs=outputs) == published


@pytest.mark.parametrize(("outputs", "channels", "published"), [(1, 1, 47635), (10, 3, 48547)])
def test_small_lenet_has_its_published_counts(outputs, channels, published):
    assert count(LeNet, channels, 32, outputs, hidden=(96, 67)) == published


@pytest.mark.parametrize(("size", "flat"), [(16, 16), (28, 256), (32, 400), (224, 44944)])
def test_the_first_hidden_layer_fits_the_size(size, flat):
    network = LeNet(in_channels=1, size=size, outputs=2)
    assert network.hidden[0].in_features == flat
    assert network(torch.rand(1, 1, size, size)).shape == (1, 2)


def test_too_small_images_are_refused_with_a_way_out():
    with pytest.raises(ValueError, match=r"size=15.*at least 16.*model=mlp"):
        LeNet(in_channels=1, size=15, outputs=2)


def test_pooling_is_what_it_says():
    image = torch.rand(1, 1, 32, 32, generator=torch.Generator().manual_seed(0))
    average, maximum = (LeNet(1, 32, 2, pool=pool) for pool in ("average", "max"))
    maximum.load_state_dict(average.state_dict())
    assert not torch.allclose(average(image), maximum(image))
    assert (maximum.convolutions[2](image) >= average.convolutions[2](image)).all()
