import math

import pytest

from metrics.functional.estimate import Estimate
from metrics.functional.task_difficulty import task_difficulty_ratio


def test_published_tasks():
    # Any haemorrhage 2.1 +- 0.4, epidural 1.45 +- 0.06 (95 %, Eq. 27): 1.448, clearly above 1.
    found = task_difficulty_ratio(Estimate.of(2.1e-4, 0.4e-4), Estimate.of(1.45e-4, 0.06e-4))
    assert found.ratio.value == pytest.approx(2.1 / 1.45)
    assert found.ratio.low > 1
    assert found.harder == "task 1"


def test_ratio_interval_is_that_of_two_log_normals():
    first, second = Estimate(2.0, 1.6, 2.5), Estimate(1.0, 0.9, 1 / 0.9)
    found = task_difficulty_ratio(first, second)
    half_width = math.hypot(math.log(2.5 / 2.0), math.log(1 / 0.9))
    assert found.ratio.high == pytest.approx(2 * math.exp(half_width))
    assert found.ratio.low == pytest.approx(2 / math.exp(half_width))


def test_exchanged_tasks_give_the_inverse():
    first, second = Estimate(2.0, 1.6, 2.5), Estimate(1.5, 1.2, 1.8)
    forth, back = task_difficulty_ratio(first, second), task_difficulty_ratio(second, first)
    assert back.ratio.value == pytest.approx(1 / forth.ratio.value)
    assert back.ratio.low == pytest.approx(1 / forth.ratio.high)
    assert (back.harder, forth.harder) == ("not known", "not known")
    clearer = Estimate(1.0, 0.9, 1.1)
    assert task_difficulty_ratio(first, clearer).harder == "task 1"
    assert task_difficulty_ratio(clearer, first).harder == "task 2"


def test_without_intervals_the_order_is_not_known():
    found = task_difficulty_ratio(2.0, Estimate(1.0, 0.9, 1.1))
    assert found.ratio.value == 2
    assert not found.ratio.known
    assert found.harder == "not known"


def test_exact_sharpness_is_refused_rather_than_certain():
    with pytest.raises(ValueError, match="certain"):
        task_difficulty_ratio(Estimate.of(2.0), Estimate.of(1.0))


@pytest.mark.parametrize("sharpness", [0.0, -1.0, math.inf])
def test_sharpness_must_be_finite_and_positive(sharpness):
    with pytest.raises(ValueError, match="remove those first"):
        task_difficulty_ratio(1.0, sharpness)
