import math

import pytest
import torch

from lightning_modules.losses.cross_entropy import CrossEntropy


def test_closed_form():
    # exp(scores) = 1, 2, 5: the true class has probability 2/8.
    scores = torch.tensor([[1.0, 2.0, 5.0]], dtype=torch.float64).log()
    assert CrossEntropy()(scores, torch.tensor([1])).item() == pytest.approx(math.log(4))


def test_large_scores_do_not_overflow():
    assert CrossEntropy()(torch.tensor([[1e4, 0.0]]), torch.tensor([1])).item() == 1e4
