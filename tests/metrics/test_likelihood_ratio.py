import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.functional.likelihood_ratio import likelihood_ratio
from metrics.functional.scaling_law import fit_scaling_law
from tests.metrics.synthetic_records import draw_records


def fits(records):
    loss, n, d, k = records.columns()
    return fit_scaling_law(loss, n, d, k), fit_scaling_law(loss, n, d)


def test_worked_example():
    # In units of log 2: log L = 0, 1, 3, 2; log K_F = 0, 1, 2, 3. A: offsets 0, 0, 1, -1, RSS 2.
    # B: mean 3/2, RSS 5. Unit: (5 - 2)/2 log^2 2; estimated: 2 log(5/2).
    loss, k = torch.tensor([1.0, 2.0, 8.0, 4.0]), torch.tensor([1.0, 2.0, 4.0, 8.0])
    n = d = torch.ones(4)
    a, b = fit_scaling_law(loss, n, d, k), fit_scaling_law(loss, n, d)
    found = likelihood_ratio(a, b)
    assert found.unit == pytest.approx(1.5 * math.log(2) ** 2)
    assert found.estimated.value == pytest.approx(2 * math.log(2.5))
    assert found.aic_difference == pytest.approx(b.aic() - a.aic())
    assert found.aic_difference == pytest.approx(b.bic() - a.bic())
    assert found.unit == pytest.approx((b.rss - a.rss) / 2)
    assert found.estimated.value == pytest.approx(a.log_likelihood() - b.log_likelihood())


@pytest.mark.parametrize("with_sharpness", [True, False])
def test_the_true_law_wins(with_sharpness):
    records = draw_records(0, scatter=0.2, with_sharpness=with_sharpness)
    found = likelihood_ratio(*fits(records), groups=records.groups)
    sign = 1 if with_sharpness else -1
    assert sign * found.unit > 0
    assert sign * found.estimated.value > 0
    assert sign * found.t > 2
    assert found.p < 0.05
    assert found.clusters == 11


def test_repeated_records_raise_the_ratio_but_not_the_evidence():
    # Every record four times: log R is four times as large, yet by data set nothing is surer.
    records = draw_records(1, scatter=0.4)
    loss, n, d, k = (column.repeat(4) for column in records.columns())
    once = likelihood_ratio(*fits(records), groups=records.groups)
    more = likelihood_ratio(
        fit_scaling_law(loss, n, d, k), fit_scaling_law(loss, n, d), records.groups.repeat(4)
    )
    assert more.estimated.value == pytest.approx(4 * once.estimated.value)
    assert more.t == pytest.approx(once.t, rel=0.1)


def test_published_form_depends_on_the_scatter_and_the_other_does_not():
    # Residuals of both laws twice as large: (RSS_B - RSS_A)/2 is four times, RSS_B/RSS_A the same.
    records = draw_records(3)
    small = fits(records)
    large = [
        type(fit)(fit.intercept, fit.intercept.value + 2 * fit.residual, fit.with_sharpness)
        for fit in small
    ]
    before, after = likelihood_ratio(*small), likelihood_ratio(*large)
    assert after.unit == pytest.approx(4 * before.unit)
    assert after.estimated.value == pytest.approx(before.estimated.value)
    assert after.t == pytest.approx(before.t)


@given(st.integers(0, 1000))
@settings(max_examples=15, deadline=None)
def test_exchanging_the_laws_changes_the_sign(seed):
    records = draw_records(seed)
    a, b = fits(records)
    forth = likelihood_ratio(a, b, records.groups)
    back = likelihood_ratio(b, a, records.groups)
    assert back.unit == pytest.approx(-forth.unit)
    assert back.estimated.value == pytest.approx(-forth.estimated.value)
    assert back.estimated.low == pytest.approx(-forth.estimated.high)
    assert back.t == pytest.approx(-forth.t)
    assert back.p == pytest.approx(forth.p)


def test_only_records_usable_in_both_laws_are_compared():
    records = draw_records(4)
    loss, n, d, k = records.columns()
    without = [column[6:] for column in (loss, n, d, k)]
    expected = likelihood_ratio(fit_scaling_law(*without), fit_scaling_law(*without[:3]))
    k = k.clone()
    k[:6] = math.inf  # one data set has equal images with different labels
    found = likelihood_ratio(
        fit_scaling_law(loss, n, d, k), fit_scaling_law(loss, n, d), groups=records.groups
    )
    assert found.unit == pytest.approx(expected.unit)
    assert (found.points, found.dropped, found.clusters) == (60, 6, 10)


@pytest.mark.parametrize("datasets", [2, 3])
def test_fewer_than_four_data_sets_have_neither_interval_nor_p(datasets):
    records = draw_records(0, datasets=datasets)
    found = likelihood_ratio(*fits(records), groups=records.groups)
    assert not found.estimated.known
    assert math.isnan(found.p)


def test_the_test_and_the_interval_agree():
    for seed in range(30):
        records = draw_records(seed, datasets=5, scatter=1.0)
        found = likelihood_ratio(*fits(records), groups=records.groups)
        assert (found.p < 0.05) == (found.estimated.low > 0 or found.estimated.high < 0)


def test_exact_law_is_refused():
    loss = torch.tensor([1.0, 2.0, 4.0])
    ones = torch.ones(3)
    a, b = fit_scaling_law(loss, ones, ones, loss), fit_scaling_law(loss, ones, ones)
    with pytest.raises(ValueError, match="exactly"):
        likelihood_ratio(a, b)


def test_bad_input_is_named():
    a, _ = fits(draw_records(0))
    shorter, _ = fits(draw_records(0, datasets=5))
    with pytest.raises(ValueError, match="66 records and law B to 30"):
        likelihood_ratio(a, shorter)
