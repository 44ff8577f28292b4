"""The network of a theorem, and the symmetries that networks say they have."""

import pytest
import torch
from torch import nn

from lightning_modules.networks.aol_mlp import AOLMLP
from lightning_modules.networks.lenet import LeNet
from lightning_modules.networks.linear_convnet import LinearConvNet
from lightning_modules.networks.mlp import MLP
from lightning_modules.networks.normalize import Normalize
from lightning_modules.networks.pipeline import Pipeline
from lightning_modules.networks.vit import ViT
from metrics.functional.average_geometry import average_geometry
from metrics.functional.geometry_correlation import geometry_correlation
from metrics.functional.geometry_symmetry import symmetrise


def test_it_is_linear_in_the_mean_patch():
    network = LinearConvNet(2, 6, 3, widths=(4,), kernel=3)
    x = torch.randn(5, 2, 6, 6)
    patch = nn.functional.unfold(x, 3).mean(2)  # (5, 18)
    kernels = network.convolutions[0].weight.flatten(1)
    torch.testing.assert_close(network(x), patch @ kernels.T @ network.head.weight.T)


def test_weights_are_gaussian_and_images_must_cover_the_kernels():
    torch.manual_seed(0)
    network = LinearConvNet(3, 32, 2, widths=(400,))
    assert network.convolutions[0].weight.var().item() == pytest.approx(1 / 75, rel=0.05)
    assert network.head.bias is None
    with pytest.raises(ValueError, match="too small"):
        LinearConvNet(1, 8, 2, widths=(4, 4))


@pytest.mark.parametrize(
    "build",
    [
        lambda: LeNet(1, 16, 1, activation="gelu"),
        lambda: MLP(1, 8, 1, widths=(10,)),
        lambda: LinearConvNet(2, 6, 1, widths=(5,), kernel=3),
        lambda: ViT(1, 8, 1, patch=4, dim=12, depth=1, heads=2, mlp=16),
    ],
)
def test_networks_have_the_symmetries_they_name(build):
    network = build()
    shape = {"LeNet": (1, 16, 16), "LinearConvNet": (2, 6, 6)}.get(
        type(network).__name__, (1, 8, 8)
    )
    g = average_geometry(build, shape, models=300, seed=0)
    better = symmetrise(g, network.symmetries, network.patch)
    assert geometry_correlation(g, better) > 0.97


def test_a_narrowing_aol_network_is_drawn_alike_for_all_pixels():
    def build():
        return AOLMLP(1, 4, 1, width=4, depth=2)

    g = average_geometry(build, (1, 4, 4), models=1000, seed=0)
    assert build().symmetries == ("pixels",)
    assert geometry_correlation(g, symmetrise(g, "pixels")) > 0.98  # 0.992 with rows of rank one
    assert AOLMLP(1, 4, 1, width=16, depth=2).symmetries == ()  # begins as the identity


def test_shifted_pixels_keep_the_moves_alone():
    assert Pipeline(Normalize(), LeNet(3, 16, 2)).symmetries == ("channels", "d4")
    shifted = Pipeline(Normalize("centre", [0.5] * 3), LeNet(3, 16, 2))
    assert shifted.symmetries == ("d4",)
    assert Pipeline(Normalize("centre", [0.5]), MLP(1, 8, 2)).symmetries == ()
    assert LeNet(1, 18, 2).symmetries == ("channels", "transpose")
