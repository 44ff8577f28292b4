import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.functional.estimate import Estimate
from metrics.functional.required_samples import required_samples
from metrics.functional.scaling_law import fit_scaling_law
from tests.metrics.synthetic_records import draw_records

# Published test losses (Konz & Mazurowski 2024, Tables 4 and 5), N = 9250 and N = 1000.
CIFAR10 = (
    [0.1660, 0.1821, 0.1179, 0.1086, 0.1045, 0.0828],
    [0.5312, 0.7402, 0.5128, 0.9764, 0.6001, 0.3974],
)
CHEXPERT = (
    [0.7712, 0.6370, 0.6789, 0.6014, 0.6014, 0.6016],
    [1.3479, 0.7894, 0.9793, 0.6700, 0.7409, 0.6806],
)


def test_closed_form():
    # (K_F e^a / L*)^d = (2 e^0 4 / 1)^3 = 8^3.
    assert 10 ** required_samples(1.0, math.log(4), 3.0, 2.0).value == pytest.approx(512)


def test_it_inverts_the_fitted_law():
    records = draw_records(0)
    fit = fit_scaling_law(*records.columns(), groups=records.groups)
    n, d, k = torch.tensor(1234.0), torch.tensor(12.0), torch.tensor(2e-4)
    target = float(fit.predict(n, d, k).exp())
    needed = required_samples(target, fit.intercept, 12.0, 2e-4)
    assert needed.value == pytest.approx(math.log10(1234), abs=1e-6)
    assert needed.low < math.log10(1234) < needed.high


def test_uncertain_level_alone_has_a_closed_interval():
    # log10 N = d (log(K e^a / L*)) / log 10 is normal when only a is uncertain.
    needed = required_samples(0.1, Estimate.of(1.0, half_width=0.2), 10.0, draws=200_000)
    middle = 10 * (1 - math.log(0.1)) / math.log(10)
    half_width = 10 * 0.2 / math.log(10)
    assert needed.value == pytest.approx(middle)
    assert needed.low == pytest.approx(middle - half_width, abs=0.02)
    assert needed.high == pytest.approx(middle + half_width, abs=0.02)


def test_independent_uncertainties_add_in_squares():
    a, k = Estimate.of(1.0, half_width=0.9), Estimate(1.0, math.exp(-1.2), math.exp(1.2))
    needed = required_samples(0.1, a, 10.0, k, draws=200_000)
    assert (needed.high - needed.low) / 2 == pytest.approx(10 * 1.5 / math.log(10), rel=0.02)


def test_uncertain_dimension_has_a_closed_interval():
    # log10 N is proportional to d, so its interval is that of d.
    d = Estimate(10.0, 8.0, 12.5)
    needed = required_samples(0.1, 0.0, d, draws=200_000)
    assert needed.low == pytest.approx(8.0, rel=0.01)
    assert needed.high == pytest.approx(12.5, rel=0.01)


def test_scatter_of_single_runs_widens_the_interval():
    average = required_samples(0.1, Estimate.of(1.0, 0.2), 10.0)
    single = required_samples(0.1, Estimate.of(1.0, 0.2), 10.0, scatter=0.5)
    assert single.high - single.low > 3 * (average.high - average.low)
    assert single.value == average.value


def test_beyond_any_float_the_logarithm_stays():
    needed = required_samples(1e-3, 10.0, 100.0)
    assert needed.value == pytest.approx(100 * (10 + math.log(1000)) / math.log(10))


@given(st.floats(0.01, 1), st.floats(1, 30), st.floats(-2, 2), st.floats(0.1, 10))
@settings(max_examples=40, deadline=None)
def test_unit_rules(target, dimension, intercept, unit):
    plain = required_samples(target, intercept, dimension, 1.0, draws=100).value
    # The unit of K_F goes into a, the unit of the loss too; twice d is N squared.
    moved = required_samples(target, intercept - math.log(unit), dimension, unit, draws=100)
    assert moved.value == pytest.approx(plain, abs=1e-9)
    moved = required_samples(target * unit, intercept + math.log(unit), dimension, 1.0, draws=100)
    assert moved.value == pytest.approx(plain, abs=1e-9)
    twice = required_samples(target, intercept, 2 * dimension, 1.0, draws=100)
    assert twice.value == pytest.approx(2 * plain, abs=1e-9)


def test_published_losses_fall_faster_than_the_law():
    expected = 9.25 ** (-1 / 16)  # d_data is 15 to 17 for both data sets
    ratios = [
        large / small
        for many, few in (CIFAR10, CHEXPERT)
        for large, small in zip(many, few, strict=True)
    ]
    assert sum(ratio < expected for ratio in ratios) == 10
    assert (round(min(ratios), 2), round(max(ratios), 2), round(expected, 2)) == (0.11, 0.9, 0.87)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0.0, 0.0, 10.0), "target_loss=0.0"),
        ((1.0, 0.0, -1.0), "dimension=-1.0"),
        ((1.0, 0.0, 10.0, math.inf), "sharpness=inf"),
        ((1.0, math.nan, 10.0), "intercept=nan"),
        ((1.0, 0.0, 10.0, 1.0, -0.1), "scatter"),
        ((1.0, 0.0, 10.0, 1.0, 0.0, 10), "draws=10"),
        ((1.0, 0.0, Estimate(2.0, -1.0, 5.0)), "above 0"),
    ],
)
def test_bad_input_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        required_samples(*arguments)


def test_without_the_interval_of_an_input_the_answer_has_none():
    found = required_samples(0.5, Estimate.unknown(0.0), 10.0)
    assert 10**found.value == pytest.approx(1024)
    assert not found.known
