import pytest
import torch
from scipy.stats import binom

from metrics.functional.chance_accuracy import chance_accuracy


@pytest.mark.parametrize(("n", "classes"), [(7, 2), (100, 10), (750, 2), (20_000, 3)])
def test_it_is_the_binomial_quantile(n, classes):
    y = torch.arange(n) % classes
    found = chance_accuracy(y)
    assert found.majority == pytest.approx((y == 0).double().mean().item())
    assert found.bound == binom.ppf(0.975, n, found.majority) / n


def test_one_class_is_always_guessed():
    assert chance_accuracy(torch.zeros(5)).bound == 1.0


def test_no_labels_are_named():
    with pytest.raises(ValueError, match="0 labels"):
        chance_accuracy(torch.zeros(0))
