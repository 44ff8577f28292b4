import pytest
import torch
from torch import nn

from metrics.functional.geometry import Geometry, covariance_of
from metrics.functional.geometry_correlation import geometry_correlation
from metrics.functional.geometry_evolution import geometry_evolution
from metrics.functional.geometry_of import geometry_of
from metrics.functional.initialisation import Initialisation


def images(count, d, seed=0):
    generator = torch.Generator().manual_seed(seed)
    scale = torch.linspace(2.0, 0.5, d)
    return (torch.randn(count, d, generator=generator) * scale).reshape(count, 1, 1, d)


def relative(found, expected):
    return float((found - expected).norm() / expected.norm())


def test_the_motion_is_the_derivative_of_the_geometry():
    """Central differences of G along -grad L, in float64, for a network with everything in it."""
    torch.manual_seed(0)
    network = nn.Sequential(
        nn.Conv2d(1, 3, 3),
        nn.GELU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(12, 5),
        nn.Tanh(),
        nn.Linear(5, 2),
    ).double()
    x, probes = torch.randn(7, 1, 6, 6).double(), torch.randn(4, 1, 6, 6).double()
    y = torch.randn(7).double()
    delta = geometry_evolution([network], probes, x, y, scalar="difference").dense()
    output = network(x)
    loss = (output[:, 1] - output[:, 0] - y).square().sum() / 2
    slopes = torch.autograd.grad(loss, list(network.parameters()))

    def moved(step):
        with torch.no_grad():
            for parameter, slope in zip(network.parameters(), slopes, strict=True):
                parameter -= step * slope
        g = geometry_of(network, probes).dense()
        with torch.no_grad():
            for parameter, slope in zip(network.parameters(), slopes, strict=True):
                parameter += step * slope
        return g

    numeric = (moved(1e-6) - moved(-1e-6)) / 2e-6
    assert relative(delta, numeric) < 1e-6
    torch.testing.assert_close(delta, delta.T)


def test_the_linear_model_moves_against_the_covariance():
    """Delta = -2 sigma^2 sum x x^T (the paper's text has half of it); the correlation is -1."""

    def build():
        layer = nn.Linear(6, 1, bias=False)
        nn.init.normal_(layer.weight, 0.0, 0.5)
        return nn.Sequential(nn.Flatten(), layer)

    x = images(12, 6)
    delta = geometry_evolution(Initialisation(build, 0).draws(400), torch.zeros(1, 1, 1, 6), x)
    expected = -2 * 0.25 * x.flatten(1).T @ x.flatten(1)
    assert relative(delta.dense(), expected) < 0.25
    assert geometry_correlation(delta, covariance_of(x)) < -0.98


class Factored(nn.Module):
    """f = w^T Phi A x with A fixed: the shared-filter network of Thm 3.2."""

    def __init__(self, A, n, deviation_w, deviation_phi):
        super().__init__()
        self.register_buffer("A", A)
        self.phi, self.w = nn.Linear(len(A), n, bias=False), nn.Linear(n, 1, bias=False)
        nn.init.normal_(self.phi.weight, 0.0, deviation_phi)
        nn.init.normal_(self.w.weight, 0.0, deviation_w)

    def forward(self, x):
        return self.w(self.phi(x.flatten(1) @ self.A.T))


def test_the_shared_filter_moves_by_theorem_3_2():
    """Delta = -2{[p2 w4 n(n+2) + w2 p4 n(n+1)] K S K + w2 p4 n tr(A S A^T) K}, exact in n."""
    n, w2, p2 = 8, 0.3, 0.7
    A = torch.randn(2, 5, generator=torch.Generator().manual_seed(1))
    x = images(10, 5)
    S, K = x.flatten(1).T @ x.flatten(1), A.T @ A
    first = (p2 * w2**2 * n * (n + 2) + w2 * p2**2 * n * (n + 1)) * K @ S @ K
    expected = -2 * (first + w2 * p2**2 * n * torch.trace(A @ S @ A.T) * K)
    law = Initialisation(lambda: Factored(A, n, w2**0.5, p2**0.5), seed=0)
    probe = torch.zeros(1, 1, 1, 5)
    delta = geometry_evolution(law.draws(500), probe, x)
    g = geometry_of(law.draws(500), probe, scalar="logit")
    assert relative(g.dense(), n * w2 * p2 * K) < 0.2
    assert relative(delta.dense(), expected) < 0.3
    truth = Geometry((1, 1, 5), matrix=expected.double())
    assert geometry_correlation(delta, truth) > 0.99
    assert geometry_correlation(delta, g.sandwich(covariance_of(x))) < -0.97
    assert int((g.eigenvalues > 1e-5 * g.eigenvalues[0]).sum()) == 2


@pytest.mark.slow
def test_one_hidden_relu_layer_moves_by_the_corrected_theorem_3_1():
    """Moments 1/4 and 1/16 of Lemma A.6 instead of the paper's 1/2 and 1/3."""
    d, n = 16, 8
    p2, w2 = 1 / d, 1 / n

    def build():
        network = nn.Sequential(
            nn.Flatten(), nn.Linear(d, n, bias=False), nn.ReLU(), nn.Linear(n, 1, bias=False)
        )
        nn.init.normal_(network[1].weight, 0.0, p2**0.5)
        nn.init.normal_(network[3].weight, 0.0, w2**0.5)
        return network

    x = images(20, d)
    S = x.flatten(1).T @ x.flatten(1)
    first = (n**2 - n) / 16 * (w2 * p2**2 + w2**2 * p2) + n * (w2 * p2**2 / 2 + 3 * w2**2 * p2 / 4)
    expected = -2 * (first * S + n * w2 * p2**2 / 4 * torch.trace(S) * torch.eye(d))
    probes = torch.randn(32, 1, 1, d, generator=torch.Generator().manual_seed(2))
    delta = geometry_evolution(Initialisation(build, 0).draws(1500), probes, x)
    truth = Geometry((1, 1, d), matrix=expected.double())
    assert geometry_correlation(delta, truth) > 0.95
    assert delta.inner(truth) / truth.norm**2 == pytest.approx(1, rel=0.2)


def test_labels_do_not_matter_on_average_for_symmetric_heads():
    def build():
        layer = nn.Linear(4, 1, bias=False)
        return nn.Sequential(nn.Flatten(), layer)

    x, probes = images(8, 4), torch.zeros(1, 1, 1, 4)
    networks = [build() for _ in range(20)]
    mirrored = []
    for network in networks:
        twin = build()
        twin[1].weight.data.copy_(-network[1].weight.data)
        mirrored.append(twin)
    both = networks + mirrored
    labels = torch.randn(8, generator=torch.Generator().manual_seed(3))
    a, b = (geometry_evolution(both, probes, x, y).dense() for y in (None, labels))
    torch.testing.assert_close(a, b)


def test_parameters_are_given_back_frozen():
    network = nn.Sequential(nn.Flatten(), nn.Linear(4, 1)).requires_grad_(False)
    with torch.no_grad():
        geometry_evolution([network], torch.zeros(1, 1, 1, 4), images(3, 4))
    assert not any(parameter.requires_grad for parameter in network.parameters())


def test_traps():
    with pytest.raises(ValueError, match=r"y has shape \(2,\)"):
        geometry_evolution([], torch.zeros(1, 1, 1, 4), images(3, 4), torch.zeros(2))
    with pytest.raises(ValueError, match="no networks were given"):
        geometry_evolution([], torch.zeros(1, 1, 1, 4), images(3, 4))
    with pytest.raises(ValueError, match="no networks were given"):
        geometry_of([], torch.zeros(1, 1, 1, 4))


def test_targets_of_another_shape_are_not_broadcast():
    linear = [nn.Sequential(nn.Flatten(), nn.Linear(3, 1))]
    x, y = torch.rand(4, 1, 1, 3), torch.randn(4)
    expected = geometry_evolution(linear, x[:1], x, y).dense()
    with pytest.raises(ValueError, match=r"y has shape \(4, 1\); it must be \(4,\)"):
        geometry_evolution(linear, x[:1], x, y[:, None])
    assert torch.equal(geometry_evolution(linear, x[:1], x, y.double()).dense(), expected)
