import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import curve_fit

from metrics.functional.scaling_law import fit_scaling_law
from tests.metrics.synthetic_records import A, draw_records
from tests.parity import agree

LOG2 = math.log(2)


def test_worked_example():
    # In units of log 2: log L = 1, 0, 2; log N / d = 1, 2, 1; log K_F = 0, 1, 1.
    loss = torch.tensor([2.0, 1.0, 4.0])
    n, d = torch.tensor([16.0, 64.0, 16.0]), torch.tensor([4.0, 3.0, 4.0])
    k = torch.tensor([1.0, 2.0, 2.0])
    with_k, without = fit_scaling_law(loss, n, d, k), fit_scaling_law(loss, n, d)
    # Offsets 2, 1, 2 with K_F: mean 5/3, RSS 2/3. Without: 2, 2, 3: mean 7/3, RSS 2/3.
    assert with_k.intercept.value == pytest.approx(5 / 3 * LOG2)
    assert without.intercept.value == pytest.approx(7 / 3 * LOG2)
    assert with_k.rss == pytest.approx(2 / 3 * LOG2**2)
    assert without.rss == pytest.approx(2 / 3 * LOG2**2)
    assert with_k.deviation == pytest.approx(math.sqrt(2) / 3 * LOG2)
    likelihood = -1.5 * (1 + math.log(2 * math.pi * 2 / 9 * LOG2**2))  # -3/2 (1 + log(2 pi RSS/3))
    assert with_k.log_likelihood() == pytest.approx(likelihood)
    assert with_k.aic() == pytest.approx(4 - 2 * likelihood)
    assert with_k.bic() == pytest.approx(2 * math.log(3) - 2 * likelihood)
    torch.testing.assert_close(
        with_k.predict(n, d, k), torch.tensor([2 / 3, 2 / 3, 5 / 3]).double() * LOG2
    )


def test_exact_law_gives_back_its_level():
    fit = fit_scaling_law(*draw_records(0, scatter=0.0).columns())
    assert fit.intercept.value == pytest.approx(A, abs=1e-12)
    assert fit.deviation < 1e-12
    assert fit.intercept.low == pytest.approx(A) == pytest.approx(fit.intercept.high)


def test_noisy_records_give_back_level_and_scatter():
    fit = fit_scaling_law(*draw_records(0, scatter=0.3, datasets=400).columns())
    assert fit.intercept.value == pytest.approx(A, abs=3 * 0.3 / math.sqrt(2400))
    assert fit.deviation == pytest.approx(0.3, rel=0.05)


def test_interval_over_data_sets_holds_the_truth_where_one_over_records_does_not():
    # Data sets share 0.5 of their deviation: the six records of one are hardly six pieces of news.
    held = {"data sets": 0, "records": 0}
    for seed in range(60):
        records = draw_records(seed, scatter=0.1, shared=0.5)
        for name, groups in {"data sets": records.groups, "records": None}.items():
            a = fit_scaling_law(*records.columns(), groups=groups).intercept
            held[name] += a.low <= A <= a.high
    assert held["data sets"] >= 50  # 95 % nominal; 11 clusters make it a little less
    assert held["records"] <= 40


@pytest.mark.parity
def test_fit_agrees_with_curve_fit():
    records = draw_records(3)
    columns = np.stack([column.numpy() for column in records.columns()[1:]])
    found, _ = curve_fit(
        lambda c, a: -np.log(c[0]) / c[1] + np.log(c[2]) + a,
        columns,
        records.loss.log().numpy(),
        p0=[0.0],
    )
    agree(
        "fit_scaling_law",
        "scipy.optimize.curve_fit",
        fit_scaling_law(*records.columns()).intercept.value,
        found[0],
        rtol=1e-6,
        why="closed form against an iteration that stops at 1e-8",
    )


@pytest.mark.parity
def test_likelihood_agrees_with_scipy():
    fit = fit_scaling_law(*draw_records(4).columns())
    agree(
        "ScalingLawFit.log_likelihood",
        "scipy.stats.norm.logpdf",
        fit.log_likelihood(),
        stats.norm.logpdf(fit.residual, scale=fit.deviation).sum(),
        rtol=1e-12,
        why="the sum in closed form",
    )


@given(st.integers(0, 1000), st.floats(0.01, 100), st.floats(1e-3, 1e3))
@settings(max_examples=20, deadline=None)
def test_units_move_the_level_and_nothing_else(seed, loss_unit, pixel_unit):
    records = draw_records(seed)
    loss, n, d, k = records.columns()
    plain = fit_scaling_law(loss, n, d, k)
    other = fit_scaling_law(loss_unit * loss, n, d, pixel_unit * k)
    shift = math.log(loss_unit / pixel_unit)
    assert other.intercept.value == pytest.approx(plain.intercept.value + shift, abs=1e-9)
    assert other.rss == pytest.approx(plain.rss, rel=1e-9)


def test_unusable_records_are_left_out_and_counted():
    loss, n, d, k = draw_records(0).columns()
    clean = fit_scaling_law(loss[4:], n[4:], d[4:], k[4:])
    loss[0], loss[1], d[2], k[3] = 0.0, math.nan, math.nan, math.inf
    fit = fit_scaling_law(loss, n, d, k)
    assert (fit.points, fit.dropped) == (62, 4)
    assert fit.intercept.value == pytest.approx(clean.intercept.value)
    assert fit_scaling_law(loss, n, d).dropped == 3  # without K_F its infinity does not matter
    assert fit.scalars()["dropped"] == 4


def test_over_four_data_sets_the_interval_holds_the_truth_as_often_as_it_says():
    held = 0
    for seed in range(100):
        records = draw_records(seed, scatter=0.1, shared=0.5, datasets=4)
        a = fit_scaling_law(*records.columns(), groups=records.groups).intercept
        held += a.low <= A <= a.high
    assert held >= 88


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r: {"loss": r.loss[:-1]}, "it must be"),
        (lambda r: {"loss": torch.zeros_like(r.loss)}, "0 of 66 records"),
        (lambda r: {"groups": [0, 1]}, "2 cluster labels for 66"),
    ],
)
def test_bad_input_is_named(change, message):
    records = draw_records(0)
    arguments = {"loss": records.loss, "n": records.n, "dimension": records.dimension}
    with pytest.raises(ValueError, match=message):
        fit_scaling_law(**(arguments | change(records)))


def test_prediction_needs_sharpness_exactly_if_the_law_has_it():
    records = draw_records(0)
    fit = fit_scaling_law(*records.columns())
    with pytest.raises(ValueError, match="exactly when"):
        fit.predict(records.n, records.dimension)
    residual = records.loss.log() - fit.predict(records.n, records.dimension, records.sharpness)
    torch.testing.assert_close(residual, fit.residual)
