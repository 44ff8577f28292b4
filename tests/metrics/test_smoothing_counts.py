import math

import pytest
import torch

from metrics.functional.smoothing_counts import smoothing_counts


def sign_of_first(copies: torch.Tensor) -> torch.Tensor:
    return (copies[:, 0] > 0).long()


def test_noise_belongs_to_the_point_not_to_its_batch():
    x = torch.linspace(-1, 1, 6)[:, None]
    whole = smoothing_counts(sign_of_first, x, sigma=1, classes=2, n=50, n0=10, seed=3)
    index = torch.tensor([4, 1])
    part = smoothing_counts(
        sign_of_first, x[index], sigma=1, classes=2, n=50, n0=10, seed=3, indices=index
    )
    assert torch.equal(part.counts, whole.counts[index])
    assert torch.equal(part.selection, whole.selection[index])
    other = smoothing_counts(sign_of_first, x, sigma=1, classes=2, n=50, n0=10, seed=4)
    assert not torch.equal(other.counts, whole.counts)


def test_every_point_and_every_seed_has_its_own_noise():
    equal = torch.zeros(8, 1)
    first, second = (
        smoothing_counts(sign_of_first, equal, sigma=1, classes=2, n=500, seed=seed).counts[:, 0]
        for seed in (0, 1)
    )
    assert first.unique().numel() > 4
    assert not torch.equal(first[1:], second[:-1])  # seed 1 is not seed 0 moved by a point


def test_counts_add_up_and_leave_the_global_generator_alone():
    torch.manual_seed(0)
    state = torch.get_rng_state()
    found = smoothing_counts(sign_of_first, torch.zeros(3, 2), 1, classes=5, n=25, n0=7, batch=4)
    assert torch.equal(torch.get_rng_state(), state)
    assert found.counts.sum(1).tolist() == [25] * 3
    assert found.selection.sum(1).tolist() == [7] * 3


@pytest.mark.parametrize(
    ("classify", "sigma", "classes", "message"),
    [
        (sign_of_first, 1.0, 1, "classes=1"),
        (sign_of_first, math.nan, 2, "sigma=nan"),
        (lambda copies: copies, 1.0, 2, "argmax"),
        (lambda copies: torch.full((len(copies),), 9), 1.0, 2, "class 9"),
    ],
)
def test_bad_input_is_named(classify, sigma, classes, message):
    with pytest.raises(ValueError, match=message):
        smoothing_counts(classify, torch.zeros(1, 1), sigma, classes)
