import math
import warnings
from dataclasses import astuple

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from metrics.functional.fit_lognormal import fit_lognormal
from metrics.functional.normality import normality
from tests.parity import agree


def lognormal(n=2000, mu=0.3, s=0.7, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.exp(mu + s * torch.randn(n, generator=generator, dtype=torch.float64))


@pytest.mark.parity
def test_parameters_agree_with_scipy():
    sigma = lognormal()
    fit = fit_lognormal(sigma, bootstrap=0)
    shape, _, scale = stats.lognorm.fit(sigma.numpy(), floc=0)
    agree(
        "fit_lognormal",
        "scipy.stats.lognorm.fit(floc=0)",
        [fit.s, math.exp(fit.mu)],
        [shape, scale],
        1e-12,
        "closed form",
    )
    x = torch.tensor([0.1, 1.0, 5.0])
    agree(
        "LognormalFit.log_density",
        "scipy.stats.lognorm.logpdf",
        fit.log_density(x),
        stats.lognorm.logpdf(x.double().numpy(), shape, scale=scale),
        1e-9,
        "same formula",
    )


@pytest.mark.parity
@pytest.mark.parametrize("n", [3, 50, 2000])
def test_probability_plots_agree_with_scipy(n):
    sigma = lognormal(n)
    fit = fit_lognormal(sigma, bootstrap=0)
    log = stats.probplot(sigma.log().numpy())[1][2] ** 2
    linear = stats.probplot(sigma.numpy(), sparams=(fit.s,), dist="lognorm")[1][2] ** 2
    agree(
        "fit_lognormal R^2",
        "scipy.stats.probplot",
        [fit.r_squared, fit.r_squared_linear],
        [log, linear],
        1e-9,
        "same medians",
    )


@pytest.mark.parity
def test_distances_agree_with_scipy():
    values = lognormal(500).log()
    ours = normality(values, bootstrap=0)
    x = values.numpy()
    ks = stats.kstest(x, "norm", args=(x.mean(), x.std())).statistic
    with warnings.catch_warnings():  # it announces a new return type
        warnings.simplefilter("ignore")
        square = stats.anderson(x, "norm").statistic
    agree("normality KS", "scipy.stats.kstest", ours.ks, ks, 1e-9, "same definition")
    agree("normality A^2", "scipy.stats.anderson", ours.anderson, square, 1e-9, "same definition")


@pytest.mark.parity
def test_p_value_agrees_with_scipys_monte_carlo():
    values = lognormal(60, seed=3).log()
    ours = normality(values, bootstrap=2000)
    theirs = stats.goodness_of_fit(
        stats.norm, values.numpy(), statistic="ks", n_mc_samples=2000, rng=np.random.default_rng(0)
    )
    assert ours.ks_p == pytest.approx(theirs.pvalue, abs=0.05)  # sampling error 0.016 of each


def test_p_values_are_uniform_under_the_law_and_tiny_off_it():
    p = [normality(lognormal(80, seed=seed).log(), bootstrap=99).ks_p for seed in range(60)]
    assert stats.kstest(p, "uniform").pvalue > 0.001
    skewed = normality(lognormal(400), bootstrap=99)  # the values, not their logarithms
    assert skewed.ks_p == 0.01
    assert skewed.anderson_p == 0.01


@settings(max_examples=20, deadline=None)
@given(a=st.floats(0.01, 100), seed=st.integers(0, 100))
def test_scale_moves_mu_alone(a, seed):
    sigma = lognormal(50, seed=seed)
    fit, scaled = fit_lognormal(sigma, bootstrap=5), fit_lognormal(a * sigma, bootstrap=5)
    assert scaled.mu == pytest.approx(fit.mu + math.log(a), abs=1e-9)
    expected, found = (
        (one.s, one.r_squared, one.r_squared_linear, *astuple(one.normality))
        for one in (fit, scaled)
    )
    assert found == pytest.approx(expected, rel=1e-6)


def test_seed_decides_the_bootstrap():
    sigma = lognormal(50)
    assert fit_lognormal(sigma, seed=1) == fit_lognormal(sigma, seed=1)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (torch.ones(2), "at least 3"),
        (torch.tensor([1.0, 0.0, 2.0]), "1 of 3 values are not positive"),
        (torch.tensor([1.0, math.nan, 2.0]), "not positive and finite"),
        (torch.ones(5), "all 5 values are 1"),
    ],
)
def test_traps(bad, message):
    with pytest.raises(ValueError, match=message):
        fit_lognormal(bad)
