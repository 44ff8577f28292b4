import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.functional.nearest_neighbour_bound import (
    nearest_neighbour_bound,
    nearest_neighbour_samples,
)
from metrics.functional.neighbour_certificate import nearest_neighbour_certificate


def test_theorem_constants():
    assert nearest_neighbour_samples(delta=1.0, dimension=1) == 37
    assert nearest_neighbour_samples(delta=0.3, dimension=5) == 37 * 4**5
    assert nearest_neighbour_bound(1.0, 1, 37) == pytest.approx(0.990057, abs=1e-6)
    assert nearest_neighbour_bound(1.0, 1, 36) == pytest.approx(0.98978, abs=1e-5)
    assert nearest_neighbour_bound(0.1, 3072, 10**6) == 0
    assert 1 / (1 / 49) > 49  # which is no fiftieth box
    assert nearest_neighbour_bound(1 / 49, 1, 1000) == pytest.approx(1 - 49 / 1000 / math.e)


@given(st.floats(0.02, 1), st.integers(1, 400), st.floats(0, 0.9999))
@settings(max_examples=50, deadline=None)
def test_samples_and_bound_are_inverse(delta, dimension, accuracy):
    n = nearest_neighbour_samples(delta, dimension, accuracy)
    assert nearest_neighbour_bound(delta, dimension, n) >= accuracy - 1e-12


def test_theorem_holds_in_a_simulation():
    # d = 2, delta = 1/4: classes are cells of a grid of boxes 0.1 wide, 2 delta = 0.5 apart, so a
    # robust classifier with margin delta exists; 1-NN must be right within delta/2 in L_inf.
    delta, n, trials = 0.25, 40, 30
    generator = torch.Generator().manual_seed(0)

    def sample(count: int) -> tuple[torch.Tensor, torch.Tensor]:
        corner = torch.randint(2, (count, 2), generator=generator)
        x = 0.2 + 0.6 * corner + 0.1 * (torch.rand(count, 2, generator=generator) - 0.5)
        return x, corner[:, 0] * 2 + corner[:, 1]

    robust = []
    for _ in range(trials):
        found = nearest_neighbour_certificate(*sample(50), *sample(n), p=math.inf)
        robust.append(found.certified_accuracy([delta / 2]).item())
    assert sum(robust) / trials >= nearest_neighbour_bound(delta, 2, n) > 0.8


@pytest.mark.parametrize(
    "call",
    [
        lambda: nearest_neighbour_bound(0.0, 2, 10),
        lambda: nearest_neighbour_bound(0.5, 0, 10),
        lambda: nearest_neighbour_bound(0.5, 2, 0),
        lambda: nearest_neighbour_samples(0.5, 2, accuracy=1.0),
        lambda: nearest_neighbour_samples(math.nan, 2),
    ],
)
def test_theorem_arguments_are_checked(call):
    with pytest.raises(ValueError, match=r"must|need"):
        call()
