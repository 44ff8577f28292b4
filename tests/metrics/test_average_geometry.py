import math

import pytest
import torch
from torch import nn

from metrics.functional.average_geometry import average_geometry
from metrics.functional.geometry import Geometry
from metrics.functional.geometry_correlation import geometry_correlation
from metrics.functional.geometry_spectrum import marchenko_pastur_edges
from metrics.functional.geometry_symmetry import symmetrise
from metrics.functional.initialisation import Initialisation
from metrics.functional.random_head import RandomHead, linear_head
from metrics.functional.random_rows import RandomRows, row_correlation


class Map(nn.Module):
    """A fixed linear body, so that only the head is random."""

    def __init__(self, matrix):
        super().__init__()
        self.register_buffer("matrix", matrix)

    def forward(self, x):
        return x.flatten(1) @ self.matrix.T


A = torch.randn(3, 8, generator=torch.Generator().manual_seed(0))


def mlp(width=64, side=4, outputs=1):
    return nn.Sequential(
        nn.Flatten(),
        nn.Linear(side * side, width),
        nn.ReLU(),
        nn.Linear(width, width),
        nn.ReLU(),
        nn.Linear(width, outputs),
    )


def convolutional(side=8, channels=1, **options):
    body = nn.Sequential(nn.Conv2d(channels, 16, 3, **options), nn.ReLU(), nn.Flatten())
    features = body(torch.zeros(1, channels, side, side)).shape[1]
    return nn.Sequential(*body, nn.Linear(features, 1))


def small_lenet(channels=1):
    return nn.Sequential(
        nn.Conv2d(channels, 4, 3),
        nn.GELU(),
        nn.AvgPool2d(2),
        nn.Conv2d(4, 8, 2),
        nn.GELU(),
        nn.Flatten(),
        nn.Linear(32, 16),
        nn.GELU(),
        nn.Linear(16, 1),
    )


class SmallViT(nn.Module):
    """8 x 8 images, patches of 4, one block of attention, position embeddings, class token."""

    def __init__(self):
        super().__init__()
        self.patches = nn.Conv2d(1, 12, 4, 4)
        self.positions = nn.Parameter(0.02 * torch.randn(1, 5, 12))
        self.attention = nn.MultiheadAttention(12, 2, batch_first=True)
        self.head = nn.Linear(12, 1)

    def forward(self, x):
        tokens = self.patches(x).flatten(2).mT
        tokens = torch.cat([torch.zeros_like(tokens[:, :1]), tokens], 1) + self.positions
        return self.head((tokens + self.attention(tokens, tokens, tokens)[0])[:, 0])


def test_orthogonal_heads_integrate_the_head_out():
    """G = s^2 A^T A with s^2 = 1/(3 F), exactly, from two networks of F = 3 heads."""
    g = average_geometry(lambda: nn.Sequential(Map(A), nn.Linear(3, 1)), (1, 2, 4), 2, 3)
    torch.testing.assert_close(g.dense().float(), A.T @ A / 9)
    assert g.error == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(("scalar", "factor"), [("logit", 1.0), ("mean", 0.5), ("difference", 2.0)])
def test_the_scale_of_each_scalar(scalar, factor):
    """Orthogonal heads give it exactly, the network's own head on average."""
    build = lambda: nn.Sequential(Map(A), nn.Linear(3, 2))  # noqa: E731
    expected = factor * float(A.square().sum()) / 9
    exact = average_geometry(build, (1, 2, 4), 2, 3, scalar=scalar)
    assert exact.trace == pytest.approx(expected)
    drawn = average_geometry(build, (1, 2, 4), 400, 1, heads=1, scalar=scalar)
    assert drawn.trace == pytest.approx(expected, rel=0.2)


def test_a_head_with_a_mean_is_drawn_from_its_own_law():
    def build():
        network = nn.Sequential(Map(A), nn.Linear(3, 1))
        nn.init.normal_(network[1].weight, 1.0, 0.5)
        return network

    g = average_geometry(build, (1, 2, 4), 100, 30)
    expected = A.T @ (torch.ones(3, 3) + 0.25 * torch.eye(3)) @ A
    assert float((g.dense() - expected).norm() / expected.norm()) < 0.05


def test_a_shared_filter_under_average_pooling():
    """A.10 with the constant 1/4; no linear head, so the network's own output is used."""

    class Pooled(nn.Module):
        def __init__(self):
            super().__init__()
            self.filter = nn.Conv2d(1, 1, (1, 2), bias=False)
            nn.init.normal_(self.filter.weight, 0.0, 2.0)

        def forward(self, x):
            return self.filter(x).mean((1, 2, 3))[:, None]

    g = average_geometry(Pooled, (1, 1, 3), 600, 1)
    expected = torch.tensor([[1, 1, 0], [1, 2, 1], [0, 1, 1]]).double()  # sigma^2 / 4 = 1
    assert float((g.dense() - expected).norm() / expected.norm()) < 0.2
    assert float(g.eigenvalues[2]) == pytest.approx(0, abs=1e-6)
    with pytest.raises(ValueError, match="does not end in one"):
        average_geometry(Pooled, (1, 1, 3), heads=4)


def test_the_mlp_is_isotropic_within_marchenko_pastur():
    """Thm A.2: G = I / (108 D): 1/(3D) of the input, 1/6 of each hidden layer, 1/3 of the head."""
    g = average_geometry(mlp, (1, 4, 4), 800, 1, sigma=1.0, heads=1)
    unit = 108 * 16 * g.eigenvalues
    low, high = marchenko_pastur_edges(16, 800)
    assert float(unit.mean()) == pytest.approx(1, rel=0.1)
    assert float(unit[-1]) == pytest.approx(low, rel=0.15)
    assert float(unit[0]) == pytest.approx(high, rel=0.15)
    many = average_geometry(mlp, (1, 4, 4), 100, sigma=1.0)
    assert many.error < g.error


@pytest.mark.parametrize(
    ("options", "ratio"),
    [
        ({}, 1 / 9),  # valid: a corner is under 1 window, the middle under 9
        ({"padding": 1}, 4 / 9),
        ({"padding": 1, "stride": 2}, 1 / 4),
        ({"padding": 1, "padding_mode": "circular"}, 1.0),
    ],
)
def test_a_cnn_without_pooling_sees_by_coverage(options, ratio):
    windows = nn.Conv2d(1, 1, 3, bias=False, **options)
    nn.init.ones_(windows.weight)
    x = torch.zeros(1, 1, 8, 8, requires_grad=True)
    windows(x).sum().backward()
    coverage = x.grad.flatten().double()
    assert float(coverage.min() / coverage.max()) == pytest.approx(ratio)
    g = average_geometry(lambda: convolutional(**options), (1, 8, 8), 30, 64, sigma=1.0)
    truth = Geometry((1, 8, 8), matrix=coverage.diag())
    assert geometry_correlation(g, truth) > 0.97
    features = 16 * windows(x).numel()
    scale = 16 / 27 / 2 / (3 * features)  # E w^2 = 1/27, half of the units on, head 1/(3F)
    assert g.trace == pytest.approx(scale * float(coverage.sum()), rel=0.06)


def test_the_vit_has_two_eigenvalues():
    g = average_geometry(SmallViT, (1, 8, 8), 150, 24)
    mixed = symmetrise(g, "tokens", patch=4)
    assert geometry_correlation(g, mixed) > 0.97
    values = mixed.eigenvalues
    torch.testing.assert_close(values[:16], values[:1].expand(16))
    torch.testing.assert_close(values[16:], values[16:17].expand(48))
    assert values[0] > 2 * values[16]


def test_channels_are_copies_of_one():
    build = lambda: small_lenet(3)  # noqa: E731
    raw = average_geometry(build, (3, 8, 8), 200, 16)
    copies = average_geometry(build, (3, 8, 8), 200, 16, symmetry="channels")
    torch.testing.assert_close(copies.dense(), symmetrise(raw, "channels").dense())
    assert geometry_correlation(raw, copies) > 0.95
    assert copies.error < raw.error
    one = average_geometry(small_lenet, (1, 8, 8), 200, 16, seed=1)
    block = Geometry((1, 8, 8), matrix=copies.dense()[:64, :64])
    assert geometry_correlation(block, one) > 0.97


def test_lenet_has_the_symmetries_of_the_square_and_strides_break_them():
    lenet = average_geometry(small_lenet, (1, 8, 8), 200, 16)
    assert geometry_correlation(lenet, symmetrise(lenet, "d4")) > 0.97
    strided = average_geometry(
        lambda: convolutional(padding=1, stride=2), (1, 8, 8), 60, 64, sigma=1.0
    )
    assert geometry_correlation(strided, symmetrise(strided, "transpose")) > 0.98
    assert geometry_correlation(strided, symmetrise(strided, "flips")) < 0.95


def test_averaging_over_a_symmetry_lowers_the_error():
    plain, averaged = (
        average_geometry(small_lenet, (1, 8, 8), 60, 8, symmetry=name) for name in ("none", "d4")
    )
    assert averaged.error < 0.6 * plain.error


@pytest.mark.parametrize("rows", [3, 5, 40])  # of 32; 5 have 40 images under d4
def test_symmetrise_is_a_projection_in_both_forms(rows):
    g = Geometry.from_rows(torch.randn(rows, 2, 4, 4, dtype=torch.float64))
    for name in ("transpose", "flips", "d4", "channels", "tokens", "pixels"):
        once = symmetrise(g, name, patch=2)
        torch.testing.assert_close(symmetrise(once, name, patch=2).dense(), once.dense())
        assert once.trace == pytest.approx(g.trace)
    moved = g.dense().reshape(2, 4, 4, 2, 4, 4).permute(0, 2, 1, 3, 5, 4).reshape(32, 32)
    torch.testing.assert_close(symmetrise(g, "transpose").dense(), (g.dense() + moved) / 2)


def test_the_same_seed_gives_the_same_bits_and_leaves_the_generator():
    torch.manual_seed(3)
    state = torch.get_rng_state()
    a, b, c = (average_geometry(small_lenet, (1, 8, 8), 20, seed=s) for s in (1, 1, 2))
    with torch.inference_mode():
        d = average_geometry(small_lenet, (1, 8, 8), 20, seed=1)
    assert torch.equal(torch.get_rng_state(), state)
    assert torch.equal(a.dense(), b.dense())
    assert torch.equal(a.dense(), d.dense())
    assert not torch.equal(a.dense(), c.dense())


def test_it_stops_at_the_error_asked_for():
    drawn = []

    def build():
        drawn.append(1)
        layer = nn.Linear(4, 1)
        nn.init.trunc_normal_(layer.weight)  # never replayed: every draw is a build
        return nn.Sequential(nn.Flatten(), layer)

    g = average_geometry(build, (1, 2, 2), 2000, 1, target_error=0.2)
    assert g.error <= 0.2
    assert len(drawn) < 500


def test_probes_that_all_say_the_same_are_not_taken():
    """GELU near 0 with one head: rho = 1, so one row a network, of the pilot too."""

    def build():
        return nn.Sequential(nn.Flatten(), nn.Linear(1600, 8), nn.GELU(), nn.Linear(8, 1))

    g = average_geometry(build, (1, 40, 40), 20, heads=1)
    assert len(g.rows) == 20
    assert len(average_geometry(build, (1, 40, 40), 20).rows) > 16 * 8 + 4 * 4


def test_row_correlation_of_independent_rows_is_zero():
    rows = torch.randn(16, 8, 50, generator=torch.Generator().manual_seed(0))
    assert row_correlation(list(rows)) == pytest.approx(0, abs=0.02)


@pytest.mark.parametrize("shared", [1, 2, 4])
def test_heads_that_share_a_point_give_the_gradients_of_each(shared):
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = mlp(outputs=2)
        head = RandomHead(Initialisation(lambda: model, 0), model[-1], "logit")
        points, heads = torch.randn(3, 1, 4, 4), torch.randn(3 * shared, 64)
    rows = head.gradients(model, points, heads)
    for row, w, x in zip(rows, heads, points.repeat_interleave(shared, 0), strict=True):
        leaf = x[None].clone().requires_grad_()
        (expected,) = torch.autograd.grad(model[:-1](leaf)[0] @ w, leaf)
        assert torch.allclose(row, expected.flatten(), atol=1e-6)


def test_a_pilot_decides_how_many_heads_share_a_point():
    law = (mlp, (1, 4, 4), 1.0, None, "logit", 0)
    alike, apart = RandomRows(*law), RandomRows(*law)
    generator = torch.Generator().manual_seed(0)
    directions = torch.randn(16, 8, 16, generator=generator)
    apart.best_rows(list(directions))  # heads of a point have nothing in common
    alike.best_rows([part[::2].repeat_interleave(2, 0) for part in directions])
    assert len(apart.draw(0, 8).unique(dim=0)) == 8
    assert (alike.heads_a_point, apart.heads_a_point) == (1, 8)


def test_heads_are_found_where_they_can_be_redrawn():
    x = torch.zeros(1, 1, 4, 4)
    network = mlp()
    assert linear_head(network, x) is network[-1]
    assert linear_head(nn.Sequential(network, nn.Softmax(1)), x) is None
    tied = nn.Linear(16, 16)
    assert linear_head(nn.Sequential(nn.Flatten(), tied, tied), x) is None
    assert linear_head(SmallViT(), torch.zeros(1, 1, 8, 8)) is not None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"input_shape": (32, 32, 3)}, r"looks like \(H, W, C\)"),
        ({"models": 1}, "models=1 must be a whole number, at least 2"),
        ({"probes": 0}, "probes=0 must be a whole number, at least 1"),
        ({"sigma": math.nan}, "sigma=nan"),
        ({"symmetry": "mirror"}, "symmetry='mirror'; use one of 'none', 'transpose'"),
        ({"symmetry": "d4", "input_shape": (1, 2, 8)}, "needs square images, not 2 x 8"),
        ({"symmetry": "tokens", "patch": 3}, "patch that divides 4 x 4, not 3"),
        ({"scalar": "difference"}, "needs 2 outputs, not 1"),
        ({"scalar": "sum"}, "scalar='sum'; use one of 'logit', 'mean', 'difference'"),
    ],
)
def test_traps(change, message):
    arguments = {"build": mlp, "input_shape": (1, 4, 4), "models": 4, **change}
    with pytest.raises(ValueError, match=message):
        average_geometry(**arguments)


def test_a_factor_beyond_memory_is_refused_before_it_is_drawn():
    build = lambda: nn.Sequential(nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(12, 1))  # noqa: E731
    with pytest.raises(ValueError, match="use models x probes <= 830"):
        average_geometry(build, (3, 224, 224), 1000, 64)
    assert len(average_geometry(build, (3, 224, 224), 4, 3).rows) == 12


def test_exact_sums_keep_what_is_small():
    """A linear convolution sees 9 of 36 directions; the others are 0 but for rounding."""

    def build():
        return nn.Sequential(
            nn.Conv2d(1, 4, 3, bias=False), nn.AvgPool2d(4), nn.Flatten(), nn.Linear(4, 1)
        )

    found = {
        exact: average_geometry(build, (1, 6, 6), 200, probes=4, exact=exact).eigenvalues
        for exact in (False, True)
    }
    rounding = {exact: float(values[9:].abs().max() / values[0]) for exact, values in found.items()}
    assert rounding[True] < 1e-12 < rounding[False]
