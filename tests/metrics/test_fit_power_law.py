import math
import warnings

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from metrics.functional.compare_fits import compare_fits
from metrics.functional.fit_lognormal import fit_lognormal
from metrics.functional.fit_lognormal_tail import fit_lognormal_tail
from metrics.functional.fit_power_law import fit_power_law
from tests.metrics.test_fit_lognormal import lognormal
from tests.parity import agree


def pareto(n=5000, alpha=2.5, seed=0):
    u = torch.rand(n, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    return (1 - u) ** (-1 / (alpha - 1))


def with_body(n=600):
    """A power law above 2 and something flat below."""
    flat = torch.rand(n // 2, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    return torch.cat([2 * pareto(n), 0.01 + 1.99 * flat])


def library(x, **kwargs):
    powerlaw = pytest.importorskip("powerlaw")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return powerlaw.Fit(x.numpy(), verbose=False, **kwargs)


def test_recovers_the_exponent():
    fit = fit_power_law(pareto(), x_min=1.0)
    assert fit.alpha == pytest.approx(2.5, abs=3 * fit.alpha_error)
    assert fit.tail == fit.n == 5000


def test_finds_where_the_tail_begins():
    fit = fit_power_law(with_body(3000))
    assert 1.8 < fit.x_min < 2.8
    assert fit.alpha == pytest.approx(2.5, abs=3 * fit.alpha_error)
    assert fit.tail / fit.n < 0.75


def test_bootstrap_p_keeps_power_laws_and_refuses_others():
    assert fit_power_law(pareto(300), x_min=1.0).p is None
    kept = [fit_power_law(pareto(300, seed=s), 1.0, bootstrap=39).p for s in range(8)]
    assert sum(p > 0.1 for p in kept) >= 6  # uniform under the law: 7.2 of 8 expected
    light = lognormal(300).exp()
    assert fit_power_law(light, float(light.min()), bootstrap=39).p == 1 / 40
    searched = fit_power_law(with_body(), candidates=40, bootstrap=19)
    assert searched.p > 0.05
    assert searched == fit_power_law(with_body(), candidates=40, bootstrap=19)  # seeded


def test_ratio_tells_the_two_laws_apart():
    heavy, light = pareto(), lognormal(5000)
    for x, sign in ((heavy, 1), (light, -1)):
        x_min = float(x.min())
        result = compare_fits(x, fit_power_law(x, x_min), fit_lognormal(x, bootstrap=0))
        assert sign * result.ratio > 1000
        assert sign * result.normalised > 10
        assert result.p < 1e-20
        swapped = compare_fits(x, fit_lognormal(x, bootstrap=0), fit_power_law(x, x_min))
        assert swapped.ratio == -result.ratio


def test_a_power_law_is_not_told_from_the_lognormal_that_contains_it():
    refused = 0
    for seed in range(100):
        x = pareto(300, seed=seed)
        result = compare_fits(x, fit_power_law(x, 1.0), fit_lognormal_tail(x, 1.0), nested=True)
        assert result.ratio <= 0
        refused += result.p < 0.05
    assert 0 < refused <= 11  # 5 expected
    light = lognormal(2000)
    light = light[light >= 1]
    result = compare_fits(light, fit_power_law(light, 1.0), fit_lognormal_tail(light, 1.0), True)
    assert result.p < 1e-6
    assert result.p == pytest.approx(stats.chi2(1).sf(-2 * result.ratio) / 2)


def test_the_lognormal_tail_of_a_heavier_one_stops_at_its_limit():
    heavy = pareto(300).log().square().exp()  # log sigma spreads more than an exponential
    fit = fit_lognormal_tail(heavy, 1.0)
    logs = heavy.log()
    assert fit.mu == pytest.approx(float(logs.mean() - 1000 * logs.std(correction=0)))
    limit = compare_fits(heavy, fit_power_law(heavy, 1.0), fit, nested=True)
    assert limit.p == 1


def test_so_does_one_that_is_hardly_lighter():
    logs = torch.tensor([0.0] * 8 + [3.0, 4.0], dtype=torch.float64)
    centre, scale = float(logs.mean()), float(logs.std(correction=0))
    fit = fit_lognormal_tail(logs.exp(), x_min=math.exp(centre - 1.00001 * scale))
    assert fit.mu == pytest.approx(centre - 1000 * scale)


@pytest.mark.parity
def test_exponent_agrees_with_powerlaw():
    x = pareto(1000)
    theirs = library(x, xmin=1.0)
    agree(
        "fit_power_law alpha",
        "powerlaw.Fit",
        fit_power_law(x, 1.0).alpha,
        theirs.power_law.alpha,
        1e-9,
        "closed form",
    )


@pytest.mark.parity
def test_threshold_agrees_with_powerlaw():
    x = with_body()
    ours, theirs = fit_power_law(x, candidates=None), library(x)
    agree(
        "fit_power_law x_min, alpha",
        "powerlaw.Fit",
        [ours.x_min, ours.alpha],
        [theirs.xmin, theirs.alpha],
        2e-2,
        "both steps of the empirical law, not the lower only",
    )


@pytest.mark.parity
def test_distance_agrees_with_scipy():
    x = pareto(400)
    fit = fit_power_law(x, x_min=1.0)
    theirs = stats.kstest(x.numpy(), "pareto", args=(fit.alpha - 1,)).statistic
    agree("fit_power_law KS", "scipy.stats.kstest", fit.ks, theirs, 1e-9, "same definition")


@pytest.mark.parity
def test_tail_and_ratio_agree_with_powerlaw():
    x = lognormal(1200, mu=0.0, s=1.0)
    x = x[x >= 1]
    theirs = library(x, xmin=1.0)
    fit = fit_lognormal_tail(x, 1.0)
    agree(
        "fit_lognormal_tail",
        "powerlaw.Lognormal",
        [fit.mu, fit.s],
        [theirs.lognormal.mu, theirs.lognormal.sigma],
        2e-3,
        "theirs is a simplex search",
    )
    result = compare_fits(x, fit_power_law(x, 1.0), fit)
    ratio, _ = theirs.distribution_compare("power_law", "lognormal", normalized_ratio=True)
    agree(
        "compare_fits",
        "powerlaw.Fit.distribution_compare",
        result.normalised,
        ratio,
        2e-2,
        "their simplex search stops early, and they use n instead of n - 1",
    )


def test_tail_fit_works_in_inference_mode():
    x = lognormal(300)
    expected = fit_lognormal_tail(x, 1.0)
    with torch.inference_mode():
        assert fit_lognormal_tail(x.clone(), 1.0) == expected


@settings(max_examples=15, deadline=None)
@given(a=st.floats(0.01, 100), seed=st.integers(0, 100))
def test_scale_moves_the_threshold_alone(a, seed):
    x = pareto(60, seed=seed)
    fit, scaled = fit_power_law(x), fit_power_law(a * x)
    assert scaled.x_min == pytest.approx(a * fit.x_min)
    assert scaled.alpha == pytest.approx(fit.alpha, rel=1e-6)
    assert scaled.ks == pytest.approx(fit.ks, rel=1e-6)


def test_densities_integrate_to_one_above_the_threshold():
    x = torch.tensor(np.geomspace(1.0, 1e6, 200_001))
    for fit in (fit_power_law(pareto(), 1.0), fit_lognormal_tail(lognormal(), 1.0)):
        assert float(torch.trapezoid(fit.log_density(x).exp(), x)) == pytest.approx(1, abs=1e-3)
        assert fit.log_density(torch.tensor([0.5])).item() == -math.inf


def test_traps():
    with pytest.raises(ValueError, match="at least 10"):
        fit_power_law(torch.rand(5) + 0.1)
    with pytest.raises(ValueError, match="lower x_min"):
        fit_power_law(pareto(100), x_min=1e9)
    with pytest.raises(ValueError, match="not positive"):
        fit_power_law(torch.cat([pareto(20), torch.zeros(1)]))
    with pytest.raises(ValueError, match="no law"):
        fit_power_law(torch.ones(20))
    with pytest.raises(ValueError, match="above 0"):
        fit_lognormal_tail(pareto(20), 0.0)
    law = fit_power_law(pareto(100), x_min=1.0)
    with pytest.raises(ValueError, match="outside a law's range"):
        compare_fits(torch.tensor([0.5, 2.0]), law, fit_lognormal(pareto(100), bootstrap=0))
    with pytest.raises(ValueError, match="nothing to compare"):
        compare_fits(pareto(100), law, law)
