"""Probes of the geometry before training, and of decisions after it."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch import nn

from callbacks.average_geometry import AverageGeometry
from callbacks.decision_boundary import DecisionBoundary
from callbacks.evaluation import Evaluation
from callbacks.geometric_velocity import GeometricVelocity
from callbacks.geometry_evolution import GeometryEvolution
from callbacks.subject import Subject
from datamodules.laws.plane import Plane
from lightning_modules.losses.cross_entropy import CrossEntropy
from lightning_modules.networks.linear_convnet import LinearConvNet
from lightning_modules.networks.mlp import MLP
from lightning_modules.networks.normalize import Normalize
from lightning_modules.networks.pipeline import Pipeline
from metrics.functional.geometry import covariance_of
from metrics.functional.predicted_evolution import network_evolution
from tests.callbacks.subjects import data_of, random_subject, split_of


class Circle(nn.Module):
    """f_1 - f_0 = r^2 - |projection on the plane|^2: what a network should learn."""

    def __init__(self, u, radius):
        super().__init__()
        self.u, self.radius = u.float(), radius

    def forward(self, x):
        along = (x.flatten(1) @ self.u.T).square().sum(1)
        return torch.stack([along, torch.full_like(along, self.radius**2)], 1)


def plane_subject(*radii):
    drawn = Plane(noise=0.1).draw(40, 60, (1, 8, 8), 0)
    data = data_of(drawn.train, drawn.test)
    data = SimpleNamespace(**vars(data), directions=drawn.directions)
    networks = [Circle(drawn.directions, radius) for radius in radii]
    return Subject(data, 0, tuple(networks), loss=CrossEntropy())


def test_a_boundary_is_where_the_network_has_it():
    measured = DecisionBoundary(side=41, points=10).measure(plane_subject(4.5, 4.5))
    scores, reach = measured.arrays["boundary/scores"], measured.arrays["boundary/reach"][0]
    line = np.linspace(-reach, reach, 41)
    a, b = np.meshgrid(line, line)
    np.testing.assert_allclose(scores[0], 4.5**2 - a**2 - b**2, atol=1e-3)
    assert measured.arrays["boundary/accuracy"].tolist() == [1.0, 1.0]
    assert measured.scalars["boundary/agreement"] == 1.0
    assert measured.scalars["boundary/accuracy_spread"] == 0.0
    points = measured.arrays["boundary/points"]
    np.testing.assert_allclose(np.hypot(*points[:, :2].T), np.where(points[:, 2], 3, 6), atol=1e-4)


def test_members_that_disagree_say_so():
    measured = DecisionBoundary(side=21).measure(plane_subject(4.5, 1.0)).scalars
    assert measured["boundary/agreement"] < 1
    assert measured["boundary/accuracy_spread"] > 0.2


def test_without_a_plane_there_is_no_boundary():
    with pytest.raises(ValueError, match="have no plane"):
        DecisionBoundary().measure(random_subject())


def test_variants_of_the_test_set_are_evaluated_at_the_end():
    subject = plane_subject(4.5)
    flipped = replace(subject.data.test, y=1 - subject.data.test.y)
    subject.data.variants = {"flipped": flipped}
    assert Evaluation().measure(subject).scalars["test/accuracy@flipped"] == 0.0
    early = Evaluation().measure(replace(subject, last=False)).scalars
    assert "test/accuracy@flipped" not in early


def test_g_f_of_a_linear_network_is_known():
    """Weights U(-1/8, 1/8): G = I / 192 exactly."""
    subject = random_subject(MLP(1, 8, 1, widths=(), bias=False))
    measured = AverageGeometry(models=800, batches=8).measure(subject)
    values = measured.arrays["geometry/g_f_eigenvalues"]
    assert measured.arrays["geometry/g_f"].shape == (64, 64)
    assert values.mean() == pytest.approx(1 / 192, rel=0.05)
    assert measured.scalars["geometry/g_f_flat"] > 0.9
    error = measured.arrays["geometry/g_f_eigenvalues_error"]
    assert 0 < np.median(error / values) < 0.2
    exact = AverageGeometry(models=64, batches=4, symmetric=True).measure(subject)
    assert exact.scalars["geometry/g_f_participation"] == pytest.approx(64)


def test_the_first_motion_follows_the_theorems():
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(60, 1, 8, 8, generator=generator)
    x[:, :, :4] *= 3
    data = data_of(split_of(x, torch.arange(60) % 2))
    for network, name in (
        (MLP(1, 8, 2, widths=(16,), bias=False, init="glorot"), "s"),
        (LinearConvNet(1, 8, 2, widths=(16,), kernel=3), "gsg"),
    ):
        probe = GeometryEvolution(models=480, images=60)
        found = probe.measure(Subject(data, seed=0, networks=(network,))).scalars
        corr, error = (found[f"geometry/delta_corr_{name}{end}"] for end in ("", "_error"))
        assert corr == pytest.approx(
            found[f"geometry/delta_corr_{name}_predicted"], abs=4 * error + 0.02
        )
        assert corr < -0.5


def test_other_networks_are_measured_without_a_prediction():
    assert (
        network_evolution(MLP(1, 8, 2), covariance_of(torch.randn(4, 1, 8, 8)), (1, 8, 8)) is None
    )


def test_behind_the_normalisation_nothing_depends_on_the_pixels_unit():
    network = MLP(1, 8, 3, widths=(6,))
    bright = random_subject(Pipeline(Normalize("dataset", [0.5], [0.25]), network))
    inner = bright.behind_normalisation()
    pixels = bright.images(bright.data.train)
    assert torch.allclose(inner.images(bright.data.train), (pixels - 0.5) / 0.25)
    assert inner.network is network
    found = GeometricVelocity(models=8, count=20, space="normalised").measure(bright).scalars
    raw = GeometricVelocity(models=8, count=20).measure(bright).scalars
    assert found["geometry/corr_s"] != pytest.approx(raw["geometry/corr_s"], rel=0.01)
