import pytest
import torch
from torch import nn
from torch.nn.utils.parametrizations import spectral_norm

from metrics.functional.first_linear import first_linear
from metrics.functional.jacobian_spectrum import jacobian_spectrum
from tests.metrics.test_jacobian_spectrum import reference


class Around(nn.Module):
    """A skip connection around the first layer: cutting there would miss a part of J."""

    def __init__(self):
        super().__init__()
        self.first, self.skip = nn.Linear(6, 3), nn.Linear(6, 3)

    def forward(self, x):
        return self.first(x).relu() + self.skip(x)


@pytest.mark.parametrize(
    "net",
    [
        Around(),
        nn.Sequential(nn.Tanh(), nn.Linear(6, 3)),
        nn.Sequential(spectral_norm(nn.Linear(6, 3)), nn.ReLU(), nn.Linear(3, 3)),
        nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 3)),
        nn.Sequential(nn.Linear(6, 2), nn.Linear(2, 3)),
    ],
    ids=["skip", "arithmetic before", "parametrised", "widening", "bottleneck"],
)  # fmt: skip
def test_the_first_layer_is_used_only_where_it_is_the_only_way_in(net):
    net = net.double().eval()
    x = torch.randn(12, 6, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    assert first_linear(net, x) is None
    torch.testing.assert_close(jacobian_spectrum(net, x), reference(net, x).detach())
