"""Against the textbook's matrices, and by how often a new point falls inside."""

import pytest
import torch

from metrics.functional.predict_line import predict_line


def test_value_and_interval_are_those_of_the_normal_equations():
    generator = torch.Generator().manual_seed(0)
    x, noise = torch.randn(2, 9, generator=generator, dtype=torch.float64)
    y = 3 - 2 * x + noise
    design = torch.stack([torch.ones(9, dtype=torch.float64), x], 1)
    inverse = (design.T @ design).inverse()
    weights = inverse @ design.T @ y
    row = torch.tensor([1.0, 0.7], dtype=torch.float64)
    variance = (y - design @ weights).square().sum() / 7 * (1 + row @ inverse @ row)
    line = predict_line(x, y, at=0.7)
    assert line.value == pytest.approx(float(row @ weights))
    assert line.high - line.value == pytest.approx(2.364624 * float(variance.sqrt()), rel=1e-6)


def test_new_points_fall_into_the_interval_as_often_as_it_says():
    generator = torch.Generator().manual_seed(1)
    inside = 0
    for _ in range(400):
        x, noise = torch.randn(2, 8, generator=generator, dtype=torch.float64)
        line = predict_line(x[:7], x[:7] + noise[:7], at=float(x[7]), confidence=0.8)
        inside += line.low <= float(x[7] + noise[7]) <= line.high
    assert inside / 400 == pytest.approx(0.8, abs=4 * (0.16 / 400) ** 0.5)


@pytest.mark.parametrize(
    ("x", "message"), [([1.0, 2.0], "N at least 3"), ([2.0, 2.0, 2.0], "all 3 points are at x=2")]
)
def test_points_that_give_no_line(x, message):
    with pytest.raises(ValueError, match=message):
        predict_line(torch.tensor(x), torch.tensor(x), at=0.0)
