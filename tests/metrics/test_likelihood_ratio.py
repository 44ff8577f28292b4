import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.functional.cluster_bootstrap import bootstrap_weights
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
    assert found.unit.value == pytest.approx(1.5 * math.log(2) ** 2)
    assert found.estimated.value == pytest.approx(2 * math.log(2.5))
    assert found.aic_difference == pytest.approx(b.aic() - a.aic())
    assert found.aic_difference == pytest.approx(b.bic() - a.bic())
    assert found.unit.value == pytest.approx(a.log_likelihood("unit") - b.log_likelihood("unit"))
    assert found.estimated.value == pytest.approx(a.log_likelihood() - b.log_likelihood())


@pytest.mark.parametrize("with_sharpness", [True, False])
def test_the_true_law_wins(with_sharpness):
    records = draw_records(0, scatter=0.2, with_sharpness=with_sharpness)
    found = likelihood_ratio(*fits(records), groups=records.groups)
    sign = 1 if with_sharpness else -1
    assert sign * found.unit.value > 0
    assert sign * found.estimated.value > 0
    assert sign * found.vuong.z > 2
    assert found.vuong.p < 0.05
    assert found.support == (1.0 if with_sharpness else 0.0)
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
    assert more.vuong.z == pytest.approx(once.vuong.z)
    assert more.support == once.support


def test_bootstrap_equals_refitting_each_resample():
    records = draw_records(2)
    a, b = fits(records)
    found = likelihood_ratio(a, b, groups=records.groups, resamples=50, seed=7)
    values = []
    for row in bootstrap_weights([0] * 11, 50, seed=7):
        index = torch.cat(
            [(records.groups == g).nonzero()[:, 0].repeat(int(w)) for g, w in enumerate(row)]
        )
        loss, n, d, k = (column[index] for column in records.columns())
        again = [fit_scaling_law(loss, n, d, s).rss for s in (k, None)]
        values.append((again[1] - again[0]) / 2)
    low, high = torch.tensor(values).double().quantile(torch.tensor([0.025, 0.975]).double())
    assert found.unit.low == pytest.approx(low.item())
    assert found.unit.high == pytest.approx(high.item())


def test_published_form_depends_on_the_scatter_and_the_other_does_not():
    # Residuals of both laws twice as large: (RSS_B - RSS_A)/2 is four times, RSS_B/RSS_A the same.
    records = draw_records(3)
    small = fits(records)
    large = [
        type(fit)(fit.intercept, fit.intercept.value + 2 * fit.residual, fit.with_sharpness)
        for fit in small
    ]
    before, after = likelihood_ratio(*small), likelihood_ratio(*large)
    assert after.unit.value == pytest.approx(4 * before.unit.value)
    assert after.estimated.value == pytest.approx(before.estimated.value)
    assert after.vuong.z == pytest.approx(before.vuong.z)


@given(st.integers(0, 1000))
@settings(max_examples=15, deadline=None)
def test_exchanging_the_laws_changes_the_sign(seed):
    records = draw_records(seed)
    a, b = fits(records)
    forth = likelihood_ratio(a, b, records.groups, resamples=50)
    back = likelihood_ratio(b, a, records.groups, resamples=50)
    assert back.unit.value == pytest.approx(-forth.unit.value)
    assert back.unit.low == pytest.approx(-forth.unit.high)
    assert back.estimated.value == pytest.approx(-forth.estimated.value)
    assert back.vuong.z == pytest.approx(-forth.vuong.z)
    assert back.vuong.p == pytest.approx(forth.vuong.p)


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
    assert found.unit.value == pytest.approx(expected.unit.value)
    assert (found.points, found.dropped, found.clusters) == (60, 6, 10)


def test_two_data_sets_have_no_interval():
    records = draw_records(0, datasets=2)
    found = likelihood_ratio(*fits(records), groups=records.groups)
    assert (found.unit.low, found.estimated.high) == (-math.inf, math.inf)
    assert math.isnan(found.support)
    assert math.isnan(found.vuong.p)


def test_resamples_in_which_the_laws_tie_count_by_half():
    records = draw_records(0)
    a, _ = fits(records)
    worse = a.offset + 5 * (records.groups == 10)  # the laws differ on one data set alone
    found = likelihood_ratio(a, type(a)(a.intercept, worse, False), records.groups, seed=3)
    drawn = bootstrap_weights([0] * 11, 1000, seed=3)[:, 10] > 0
    assert found.support == pytest.approx(0.5 + float(drawn.double().mean()) / 2)


def test_exact_law_is_refused():
    loss = torch.tensor([1.0, 2.0, 4.0])
    ones = torch.ones(3)
    a, b = fit_scaling_law(loss, ones, ones, loss), fit_scaling_law(loss, ones, ones)
    with pytest.raises(ValueError, match="exactly"):
        likelihood_ratio(a, b)


def test_bad_input_is_named():
    a, b = fits(draw_records(0))
    shorter, _ = fits(draw_records(0, datasets=5))
    with pytest.raises(ValueError, match="66 records and law B to 30"):
        likelihood_ratio(a, shorter)
    with pytest.raises(ValueError, match="second data set"):
        likelihood_ratio(a, b, groups=torch.zeros(66))
