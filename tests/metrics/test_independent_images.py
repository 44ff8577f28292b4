import pytest
import torch
from torch import nn

from metrics.functional import attack_penalty, average_geometry, geometry_of, jacobian_spectrum
from metrics.functional.geometry_evolution import geometry_evolution
from metrics.functional.independent_images import check_independent_images
from metrics.functional.pgd import pgd

X = torch.rand(5, 1, 4, 4, generator=torch.Generator().manual_seed(0))
Y = torch.arange(5) % 2


class BesideOthers(nn.Module):
    """A little of the other images' mean in every image."""

    def forward(self, x):
        return x + 0.07 * x.mean(0, keepdim=True)


def network(first: nn.Module) -> nn.Module:
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return nn.Sequential(first, nn.Conv2d(1, 3, 3), nn.GELU(), nn.Flatten(), nn.Linear(12, 2))


COUPLED = {
    "mean of the batch": BesideOthers(),
    "batch statistics": nn.BatchNorm2d(1, track_running_stats=False),
    "attention across images": nn.Sequential(
        nn.Flatten(), nn.TransformerEncoderLayer(16, 2, dropout=0.0), nn.Unflatten(1, (1, 4, 4))
    ),
}
MEASURE = {
    "jacobian": lambda net: jacobian_spectrum(net, X, chunk=1),
    "fgsm": lambda net: attack_penalty(net, X, Y, eps=0.01),
    "pgd": lambda net: pgd(net, X, Y, eps=0.01, steps=2),
    "geometry": lambda net: geometry_of(net, X),
    "average geometry": lambda net: average_geometry(lambda: net, (1, 4, 4), models=2),
    "evolution": lambda net: geometry_evolution([net], X, X),
}


@pytest.mark.parametrize("measure", MEASURE.values(), ids=MEASURE)
@pytest.mark.parametrize("first", COUPLED.values(), ids=COUPLED)
def test_a_coupled_batch_is_refused(first, measure):
    with pytest.raises(ValueError, match=r"changes by .* with the image beside it|train_b1"):
        measure(network(first))


@pytest.mark.parametrize("first", [nn.Identity(), nn.BatchNorm2d(1), nn.Dropout(0.5)])
def test_other_networks_are_measured(first):
    for measure in MEASURE.values():
        assert measure(network(first).train()) is not None


def test_equal_images_hide_no_coupling():
    with pytest.raises(ValueError, match="coupled"):
        check_independent_images(network(BesideOthers()), torch.zeros(2, 1, 4, 4))


def test_pooled_answers_near_zero_are_no_coupling():
    """An answer that cancels to 1e-5 of its parts rounds differently in batches of another size."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        x = torch.randn(8, 1, 9, 9)
        for _ in range(50):
            net = nn.Sequential(
                nn.Conv2d(1, 4, 3), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 1)
            )
            check_independent_images(net, x - x.mean((2, 3), keepdim=True))
