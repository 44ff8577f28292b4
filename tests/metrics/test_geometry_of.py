"""Input gradients, and the geometry of networks that are there."""

import pytest
import torch
from torch import nn

from metrics.functional.geometry_of import geometry_of
from metrics.functional.input_gradients import input_gradients


def relu_net():
    return nn.Sequential(nn.Flatten(), nn.Linear(16, 8), nn.ReLU(), nn.Linear(8, 1))


def test_bias_free_relu_gradients_do_not_depend_on_scale_and_fresh_batch_norm_is_identity():
    convolution, head = nn.Conv2d(1, 4, 3, bias=False), nn.Linear(144, 1, bias=False)
    network = nn.Sequential(convolution, nn.ReLU(), nn.Flatten(), head)
    x = torch.randn(3, 1, 8, 8)
    torch.testing.assert_close(input_gradients(network, x), input_gradients(network, 1e3 * x))
    normed = nn.Sequential(convolution, nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), head)
    torch.testing.assert_close(
        input_gradients(network, x), input_gradients(normed, x), rtol=1e-4, atol=1e-6
    )


def test_geometry_of_leaves_the_network_as_it_was():
    network = nn.Sequential(nn.Flatten(), nn.Linear(16, 8), nn.Dropout(0.5), nn.Linear(8, 2))
    network[1].eval()
    x = torch.randn(5, 1, 4, 4)
    with torch.inference_mode():
        g = geometry_of(network, x)
    assert network.training
    assert network[2].training
    assert not network[1].training
    assert all(p.grad is None and p.requires_grad for p in network.parameters())
    w = (network[3].weight[1] - network[3].weight[0]) @ network[1].weight
    torch.testing.assert_close(g.dense().float(), torch.outer(w, w).detach())


def test_geometry_of_an_ensemble_is_the_mean():
    networks = [relu_net() for _ in range(4)]
    x = torch.randn(6, 1, 4, 4)
    g = geometry_of(networks, x, scalar="logit")
    parts = torch.stack([geometry_of(n, x, scalar="logit").dense() for n in networks])
    torch.testing.assert_close(g.dense(), parts.mean(0))
    error = (parts[::2].mean(0) - parts[1::2].mean(0)).norm() / 2 / parts.mean(0).norm()
    assert g.error == pytest.approx(float(error))
    assert geometry_of(networks[0], x, scalar="logit").error is None
