import torch

from lightning_modules.networks.lenet import LeNet
from lightning_modules.networks.normalize import Normalize
from lightning_modules.networks.pipeline import Pipeline


def test_it_normalises_and_passes_the_rest_through():
    pipeline = Pipeline(Normalize("dataset", [0.5], [0.25]), LeNet(1, 16, 2))
    x = torch.rand(3, 1, 16, 16)
    seen = (x - 0.5) / 0.25
    torch.testing.assert_close(pipeline(x), pipeline.network(seen))
    assert pipeline.head is pipeline.network.head


def test_gradients_are_in_pixel_units():
    network = LeNet(1, 16, 1)
    x = torch.rand(1, 1, 16, 16)
    pipeline = Pipeline(Normalize("dataset", [0.0], [0.25]), network)
    outer = torch.func.jacrev(pipeline)(x)
    inner = torch.func.jacrev(network)(4 * x)
    torch.testing.assert_close(outer, 4 * inner)


def test_reset_draws_the_networks_parameters():
    pipeline = Pipeline(Normalize(), LeNet(1, 16, 2))
    before = pipeline.head.weight.clone()
    pipeline.reset_parameters()
    assert not torch.equal(before, pipeline.head.weight)
