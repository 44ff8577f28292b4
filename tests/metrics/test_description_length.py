import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.functional.description_length import description_length


@pytest.mark.parametrize(
    ("n", "dimension", "kilobytes"), [(60_000, 32**2, 125.85), (50_000, 3072, 107.6)]
)
def test_cifar10_as_published_and_by_its_training_set(n, dimension, kilobytes):
    bits = description_length(n, dimension, x_digits=3, y_digits=1)
    assert bits / 8000 == pytest.approx(kilobytes, abs=0.05)


def test_one_point_one_pixel():
    # 1 (1 + 1) + 1 + 1 = 4 decimal digits.
    assert description_length(1, 1, 1, 1) == pytest.approx(4 * math.log2(10))


@given(st.integers(1, 10**6), st.integers(1, 10**5), st.integers(1, 8), st.integers(1, 8))
def test_every_part_adds(n, d, s_x, s_y):
    def bits(*arguments: int) -> float:
        return description_length(*arguments) / math.log2(10)

    assert bits(n, d + 1, s_x, s_y) - bits(n, d, s_x, s_y) == pytest.approx(s_x, abs=1e-6)
    assert bits(n + 1, d, s_x, s_y) - bits(n, d, s_x, s_y) == pytest.approx(s_x + 1 + s_y, abs=1e-6)


def test_bad_length_is_named():
    with pytest.raises(ValueError, match="n=0"):
        description_length(0, 1, 1, 1)
