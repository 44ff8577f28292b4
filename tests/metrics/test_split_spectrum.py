import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.signal import find_peaks
from scipy.stats import gaussian_kde

from metrics.functional.density_peaks import density_peaks
from metrics.functional.fit_mixture import fit_mixture
from metrics.functional.split_spectrum import split_spectrum
from tests.parity import agree


def mixture(n=30_000, seed=0):
    """0.1 N(-3, 0.5) + 0.9 N(0, 0.6)."""
    generator = torch.Generator().manual_seed(seed)
    z = torch.randn(n, generator=generator, dtype=torch.float64)
    left = torch.rand(n, generator=generator) < 0.1
    return torch.where(left, -3 + 0.5 * z, 0.6 * z)


def test_recovers_the_modes_of_a_known_mixture():
    split = split_spectrum(mixture())
    assert split.trough == pytest.approx(-1.85, abs=0.15)
    assert split.left_mass == pytest.approx(0.1, abs=0.01)
    assert float(split.left.mean()) == pytest.approx(-2.99, abs=0.03)
    assert float(split.left.std()) == pytest.approx(0.494, abs=0.02)
    assert float(split.right.mean()) == pytest.approx(0.005, abs=0.02)
    assert float(split.right.std()) == pytest.approx(0.597, abs=0.01)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n", [100, 1000, 10_000])
def test_one_mode_is_not_split(n, seed):
    values = torch.randn(n, generator=torch.Generator().manual_seed(seed))
    split = split_spectrum(values)
    assert split.trough is None
    assert len(split.left) == 0
    assert len(split.right) == n
    assert split.p > 0.05
    assert split.scalars() == {"spectrum_peaks": 1.0, "left_mass": 0.0, "spectrum_dip": split.dip}


def test_the_deepest_of_two_troughs_wins_and_the_left_of_two_equals():
    even = torch.linspace(-0.5, 0.5, 100).double()
    deep_right = torch.cat([even, even + 1.6, even + 4])
    assert 2.1 < split_spectrum(deep_right, bandwidth=0.2).trough < 3.5
    equal = torch.cat([even, even + 3, even + 6])  # two empty gaps
    assert split_spectrum(equal, bandwidth=0.1).trough == pytest.approx(1.5, abs=0.1)


def test_a_constant_spectrum_is_one_mode():
    assert split_spectrum(torch.full((50,), 1.25)).trough is None


@settings(max_examples=20, deadline=None)
@given(shift=st.floats(-20, 20), seed=st.integers(0, 100))
def test_trough_moves_with_the_scale_of_the_logits(shift, seed):
    values = mixture(2000, seed)
    split, moved = split_spectrum(values, level=1), split_spectrum(values + shift, level=1)
    assert moved.trough == pytest.approx(split.trough + shift, abs=1e-6)
    assert moved.left_mass == split.left_mass


@pytest.mark.parity
def test_density_agrees_with_scipy():
    values = mixture(4000)
    split = split_spectrum(values, bins=2000)
    kernel = gaussian_kde(values.numpy(), split.bandwidth / values.std().item())
    expected = kernel(split.grid.numpy())
    high = expected > 0.01 * expected.max()
    agree(
        "split_spectrum density",
        "scipy.stats.gaussian_kde",
        split.density[high],
        expected[high],
        5e-3,
        "2000 bins instead of every value",
    )


@pytest.mark.parity
def test_peaks_agree_with_scipy():
    generator = np.random.default_rng(0)
    for _ in range(50):
        smooth = np.convolve(generator.random(80), np.ones(4), "same")
        heights = np.round(smooth, 1)  # with flat tops
        expected, _ = find_peaks(heights, prominence=0.3)
        assert density_peaks(heights.tolist(), 0.3) == expected.tolist()


@pytest.mark.parity
def test_mixture_agrees_with_sklearn():
    from sklearn.mixture import GaussianMixture

    values = mixture(2000)
    ours = fit_mixture(values)
    theirs = GaussianMixture(2, tol=1e-10, reg_covar=0, max_iter=2000, random_state=0)
    theirs.fit(values[:, None].numpy())
    order = theirs.means_[:, 0].argsort()
    expected = np.stack([theirs.weights_, theirs.means_[:, 0], theirs.covariances_[:, 0, 0] ** 0.5])
    found = torch.stack([ours.weights, ours.means, ours.deviations])
    agree(
        "fit_mixture",
        "sklearn.mixture.GaussianMixture",
        found,
        expected[:, order],
        1e-3,
        "both stop when the likelihood grows by less than 1e-10",
    )
    assert ours.converged
    assert ours.bic == pytest.approx(theirs.bic(values[:, None].numpy()), rel=1e-6)


def test_mixture_recovers_without_the_bias_of_a_cut():
    fit = fit_mixture(mixture(10_000))
    torch.testing.assert_close(fit.weights, torch.tensor([0.1, 0.9]).double(), rtol=0, atol=0.01)
    torch.testing.assert_close(fit.means, torch.tensor([-3.0, 0.0]).double(), rtol=0, atol=0.03)
    torch.testing.assert_close(fit.deviations, torch.tensor([0.5, 0.6]).double(), rtol=0, atol=0.02)


@pytest.mark.parametrize(
    "bad", [torch.zeros(0), torch.tensor([1.0, math.nan]), torch.tensor([-math.inf])]
)
def test_traps(bad):
    with pytest.raises(ValueError, match="log_sigma"):
        split_spectrum(bad)
    with pytest.raises(ValueError, match="at least 4 are needed"):
        fit_mixture(bad)


@pytest.mark.parametrize("setting", [{"bins": 2}, {"bandwidth": 0.0}, {"prominence": 1.5}])
def test_settings_out_of_range(setting):
    with pytest.raises(ValueError, match=next(iter(setting))):
        split_spectrum(torch.randn(10), **setting)


def test_two_modes_are_rarely_found_in_uniform_samples():
    """Peaks alone find them in three of four."""
    generator = torch.Generator().manual_seed(0)
    samples = [torch.rand(200, generator=generator) for _ in range(100)]
    assert sum(split_spectrum(sample, level=1).trough is not None for sample in samples) > 50
    assert sum(split_spectrum(sample).trough is not None for sample in samples) <= 10


def test_values_that_repeat_each_other_are_no_more_evidence():
    two = torch.cat([torch.linspace(-4, -3, 5), torch.linspace(0, 1, 45)])
    assert split_spectrum(two.repeat(20)).trough is not None
    known = split_spectrum(two.repeat(20), independent=20)
    assert known.trough is None
    assert math.isnan(known.p)  # the test is then conservative, and its p none
