"""Verdicts by a rule that is fixed beforehand."""

import math

import pytest
import torch

from analysis.claim import Cell, Range, decide
from metrics.functional.estimate import Estimate


def cell(low: float, high: float) -> Cell:
    """An interval that widens with its confidence as a normal one does."""
    middle, half = (low + high) / 2, (high - low) / 2

    def at(confidence: float) -> Estimate:
        quantile = float(torch.special.ndtri(torch.tensor((1 + confidence) / 2)))
        reach = half * quantile / 1.959964
        return Estimate(middle, middle - reach, middle + reach, confidence)

    return Cell(at, 5)


@pytest.mark.parametrize(
    ("claimed", "interval", "verdict"),
    [
        (Range(low=0), (0.1, 0.3), "holds"),
        (Range(low=0), (-0.3, -0.1), "fails"),
        (Range(low=0), (-0.1, 0.3), "undecided"),
        (Range(high=1), (0.2, 0.9), "holds"),
        (Range(high=1), (1.1, 1.2), "fails"),
        (Range(-1, 1), (-0.5, 0.9), "holds"),
        (Range(-1, 1), (-0.5, 1.1), "undecided"),  # different from 0 or not: not shown to be equal
        (Range(-1, 1), (1.1, 1.5), "fails"),
        (Range(-1, 1), (-3.0, 3.0), "undecided"),
    ],
)
def test_the_interval_decides(claimed, interval, verdict):
    assert decide(claimed, {"": cell(*interval)}).verdict == verdict


def test_a_claim_on_cells_holds_only_in_all_of_them():
    good, open_ = cell(0.1, 0.3), cell(-0.1, 0.3)
    assert decide(Range(low=0), {"a": good, "b": good}).verdict == "holds"
    found = decide(Range(low=0), {"a": good, "b": open_})
    assert (found.verdict, found.cell) == ("undecided", "b")


def test_one_of_many_cells_fails_only_beyond_what_chance_gives_to_so_many():
    good, just_below = cell(0.1, 0.3), cell(-0.2, -0.001)
    assert decide(Range(low=0), {"a": just_below}).verdict == "fails"
    many = {"a": just_below} | {str(place): good for place in range(9)}
    assert decide(Range(low=0), many).verdict == "undecided"
    clear = many | {"a": cell(-0.5, -0.3)}
    found = decide(Range(low=0), clear)
    assert (found.verdict, found.cell, found.cells) == ("fails", "a", 10)


def test_seeds_are_the_units_and_two_give_no_interval():
    found = Cell.of_seeds([1.0, 2.0, 3.0]).at(0.95)
    assert (round(found.low, 3), round(found.high, 3)) == (-0.484, 4.484)  # 2 -+ 4.303 / sqrt(3)
    assert not Cell.of_seeds([1.0, 2.0]).at(0.95).known
    assert decide(Range(low=0), {"": Cell.of_seeds([5.0, 5.1])}).verdict == "undecided"


def test_a_claim_does_not_hold_where_a_cell_has_no_interval():
    single = Cell.of_seeds([-1.0])
    found = decide(Range(low=0), {"a": cell(0.1, 0.3), "b": single})
    assert (found.verdict, found.cell) == ("undecided", "b")
    found = decide(Range(low=0), {"a": cell(-0.3, -0.1), "b": single})
    assert (found.verdict, found.cell) == ("fails", "a")


def test_logarithms_are_shown_as_ratios():
    logs = [math.log(2) - 0.1, math.log(2), math.log(2) + 0.1]
    found, log = Cell.of_seeds(logs).exp().at(0.95), Cell.of_seeds(logs).at(0.95)
    assert found.value == pytest.approx(2)
    assert found.low == pytest.approx(math.exp(log.low))


@pytest.mark.parametrize("value", [0.0, 0.1, 3.0])
def test_equal_values_over_seeds_have_no_interval_and_decide_nothing(value):
    equal = Cell.of_seeds([value, value + 1e-17] * 4)
    assert not equal.at(0.95).known
    found = decide(Range(low=-1), {"a": cell(0.1, 0.3), "b": equal})
    assert (found.verdict, found.cell) == ("undecided", "b")
    assert found.estimate.value == pytest.approx(value)


@pytest.mark.parametrize("value", [0.0, 0.1, 3.0])
def test_the_median_decides_by_the_sign_test_from_six_seeds_on(value):
    equal = Cell.of_seeds([value] * 6, center="median")
    assert equal.at(0.95).low == equal.at(0.95).high == pytest.approx(value)
    assert decide(Range(low=-1), {"": equal}).verdict == "holds"
    assert decide(Range(low=4), {"": equal}).verdict == "fails"
    assert not equal.at(0.99).known  # 2 / 2^6 = 0.031
    assert not Cell.of_seeds([value] * 5, center="median").at(0.95).known


def test_the_verdict_is_wrong_in_one_of_forty_draws_at_the_end_of_the_range():
    """The error of a verdict at a true value of 0, by simulation over seeds."""
    wrong = {"holds": 0, "fails": 0}
    draws = torch.randn(2000, 5, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    for values in draws:
        verdict = decide(Range(low=0), {"": Cell.of_seeds(values.tolist())}).verdict
        if verdict in wrong:
            wrong[verdict] += 1
    assert 0.015 < wrong["holds"] / 2000 < 0.035
    assert 0.015 < wrong["fails"] / 2000 < 0.035


@pytest.mark.parametrize(
    ("values", "center", "why"),
    [
        ([1.0, 2.0], "mean", "no interval: it needs 3 seeds"),
        ([2.0, 2.0, 2.0], "mean", "no spread over seeds"),
        ([1.0, 2.0, 3.0, 4.0, 5.0], "median", "no interval: it needs 6 seeds"),
    ],
)
def test_a_statistic_without_an_interval_says_why(values, center, why):
    assert decide(Range(low=0), {"": Cell.of_seeds(values, center)}).lacking == why
    assert decide(Range(low=0), {"": Cell.of_seeds(values, center).exp()}).lacking == why
