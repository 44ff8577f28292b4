import math

import pytest
import torch

from lightning_modules.losses.binary_cross_entropy import BinaryCrossEntropy
from lightning_modules.losses.cross_entropy import CrossEntropy


def test_closed_form():
    # Odds 3 to 1 for class 1: -log(3/4) if true, -log(1/4) if not.
    logit = torch.full((2, 1), math.log(3), dtype=torch.float64)
    loss = BinaryCrossEntropy()(logit, torch.tensor([1, 0]), reduction="none")
    assert loss.tolist() == pytest.approx([math.log(4 / 3), math.log(4)])


def test_it_is_cross_entropy_of_a_pair():
    logit = torch.linspace(-5, 5, 11, dtype=torch.float64)
    pair = torch.stack([torch.zeros_like(logit), logit], 1)
    y = torch.arange(11) % 2
    torch.testing.assert_close(BinaryCrossEntropy()(logit[:, None], y), CrossEntropy()(pair, y))
    assert torch.equal(BinaryCrossEntropy.predict(logit[:, None]), CrossEntropy.predict(pair))


def test_vector_and_column_are_the_same():
    logit, y = torch.tensor([0.3, -2.0]), torch.tensor([1, 1])
    loss = BinaryCrossEntropy()
    assert torch.equal(loss(logit, y), loss(logit[:, None], y))
    assert loss.predict(logit).tolist() == loss.predict(logit[:, None]).tolist() == [1, 0]


def test_two_logits_are_refused():
    with pytest.raises(ValueError, match="1 output"):
        BinaryCrossEntropy()(torch.zeros(3, 2), torch.zeros(3))
