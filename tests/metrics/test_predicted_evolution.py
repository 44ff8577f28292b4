"""Theorems 3.1 and 3.2 of Movahedi et al. 2025 against Monte Carlo over random networks."""

import pytest
import torch
from torch import nn

from metrics.functional.evolution_alignment import evolution_alignment
from metrics.functional.geometry import Geometry, covariance_of
from metrics.functional.geometry_evolution import geometry_evolution
from metrics.functional.geometry_spectrum import geometry_spectrum
from metrics.functional.initialisation import Initialisation
from metrics.functional.predicted_evolution import (
    convolution_evolution,
    perceptron_evolution,
    pooled_patches,
)

SHAPE = (1, 6, 6)


def images(count=40):
    x = torch.randn(count, *SHAPE, generator=torch.Generator().manual_seed(0))
    x[:, :, :2] *= 3
    return x


def gaussian(layer, deviation):
    nn.init.normal_(layer.weight, std=deviation)
    return layer


def measured(build, models, points):
    generator = torch.Generator().manual_seed(1)
    estimates = []
    for batch in range(6):
        probes = torch.randn(points, *SHAPE, generator=generator)
        draws = Initialisation(build, seed=batch).draws(models // 6)
        estimates.append(geometry_evolution(draws, probes, images()))
    return estimates


@pytest.mark.parametrize("width", [1, 8, 32])
def test_a_convolution_moves_as_theorem_3_2_says_size_included(width):
    def build():
        return nn.Sequential(
            gaussian(nn.Conv2d(1, width, 3, bias=False), 0.4),
            nn.AdaptiveAvgPool2d(1),
            nn.Flatten(),
            gaussian(nn.Linear(width, 1, bias=False), 0.5),
        )

    s, k = covariance_of(images()), pooled_patches(SHAPE, 3)
    law = convolution_evolution(s, k, width, 0.16, 0.25)
    estimates = measured(build, 1200, 1)
    delta = Geometry.mean_of(estimates)
    aim = k.sandwich(s).dense()
    expected = (
        -2 * len(images()) * (law.signal * aim + law.rest * k.inner(s) * k.dense())
    )  # S of the theorem is a sum over images
    assert (delta.dense() - expected).norm() < 0.25 * expected.norm()
    (found,) = evolution_alignment(estimates, [k.sandwich(s)])
    assert found.correlation == pytest.approx(law.correlation, abs=4 * found.error + 1e-3)


@pytest.mark.parametrize("width", [4, 32])
def test_a_perceptron_moves_as_theorem_3_1_says(width):
    def build():
        return nn.Sequential(
            nn.Flatten(),
            gaussian(nn.Linear(36, width, bias=False), 1 / 6),
            nn.ReLU(),
            gaussian(nn.Linear(width, 1, bias=False), 0.5),
        )

    s = covariance_of(images())
    law = perceptron_evolution(s, width, 1 / 36, 0.25)
    (found,) = evolution_alignment(measured(build, 900, 4), [s])
    assert found.correlation == pytest.approx(law.correlation, abs=4 * found.error + 0.05)


def test_width_brings_the_correlation_to_minus_one():
    s, k = covariance_of(images()), pooled_patches(SHAPE, 3)
    gaps = [1 + convolution_evolution(s, k, n, 0.1, 1.0).correlation for n in (100, 200)]
    assert gaps[0] / gaps[1] == pytest.approx(4, rel=0.05)  # 1 - |corr| falls as 1 / n^2
    assert 1 + perceptron_evolution(s, 10**6, 1 / 36, 1e-6).correlation < 1e-6


def test_pooled_patches_are_those_of_a_convolution():
    k = pooled_patches((2, 5, 5), 3)
    assert len(k.eigenvalues) == 2 * 9  # rank: channels x kernel^2
    x = torch.randn(3, 2, 5, 5).double()
    patches = nn.functional.unfold(x, 3).mean(2)  # (3, 18)
    energy = (k.matvec(x.flatten(1)) * x.flatten(1)).sum(1)
    assert torch.allclose(energy, patches.square().sum(1))


def test_noise_is_taken_out_of_a_correlation():
    generator = torch.Generator().manual_seed(0)
    truth = torch.diag(torch.arange(20.0, 0, -1)).double()
    noisy = []
    for _ in range(12):
        noise = 6 * torch.randn(20, 20, generator=generator).double()
        noisy.append(Geometry((1, 4, 5), matrix=truth + noise + noise.T))
    (found,) = evolution_alignment(noisy, [Geometry((1, 4, 5), matrix=truth)])
    assert found.correlation == pytest.approx(1, abs=4 * found.error)
    assert found.raw < 1 - 2 * found.error


def test_estimates_too_few_or_without_agreement_are_refused():
    one = Geometry((1, 1, 2), matrix=torch.diag(torch.tensor([1.0, -1.0])).double())
    other = Geometry((1, 1, 2), matrix=torch.diag(torch.tensor([-1.0, 1.0])).double())
    with pytest.raises(ValueError, match="from 3 on"):
        evolution_alignment([one, one], [one])
    with pytest.raises(ValueError, match="do not agree"):
        evolution_alignment([one, other, one, other], [one])
    with pytest.raises(ValueError, match="at least 2"):
        geometry_spectrum([one])
    for wrong in (0, 7):
        with pytest.raises(ValueError, match="does not fit"):
            pooled_patches((1, 6, 6), wrong)
    with pytest.raises(ValueError, match="width=0"):
        perceptron_evolution(one, 0, 1.0, 1.0)


def test_the_error_of_eigenvalues_is_that_of_repeated_estimates():
    truth = torch.linspace(3, 1, 6).sqrt()
    generator = torch.Generator().manual_seed(0)

    def estimate():
        rows = torch.randn(400, 6, generator=generator) * truth
        return Geometry.from_rows(rows, (1, 2, 3))

    found = geometry_spectrum([estimate() for _ in range(16)])
    expected = truth.square().double() * (2 / (16 * 400)) ** 0.5
    assert torch.allclose(found.errors, expected, rtol=0.6)
    assert found.error == pytest.approx(
        float(torch.linalg.norm(found.geometry.dense() - torch.diag(truth.square()).double()))
        / found.geometry.norm,
        rel=0.5,
    )
