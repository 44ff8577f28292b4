"""What holds for every loss."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lightning_modules.losses.binary_cross_entropy import BinaryCrossEntropy
from lightning_modules.losses.classification_loss import ClassificationLoss
from lightning_modules.losses.cross_entropy import CrossEntropy
from lightning_modules.losses.offset_cross_entropy import OffsetCrossEntropy
from lightning_modules.losses.self_normalizing_cross_entropy import SelfNormalizingCrossEntropy

SEVERAL = [
    CrossEntropy(),
    OffsetCrossEntropy(0.2, 0.25),
    SelfNormalizingCrossEntropy(0),
    SelfNormalizingCrossEntropy(0.1),
]
named = pytest.mark.parametrize("loss", SEVERAL, ids=repr)


def draw(seed: int, outputs: int = 5) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    scores = torch.randn(8, outputs, generator=generator, dtype=torch.float64)
    return scores, torch.randint(max(outputs, 2), (8,), generator=generator)


@pytest.mark.parametrize("loss", [*SEVERAL, BinaryCrossEntropy()], ids=repr)
def test_reductions_agree(loss: ClassificationLoss):
    scores, y = draw(0, outputs=1 if isinstance(loss, BinaryCrossEntropy) else 5)
    each = loss(scores, y, reduction="none")
    assert each.shape == (8,)
    torch.testing.assert_close(loss(scores, y), each.mean())
    torch.testing.assert_close(loss(scores, y, reduction="sum"), each.sum())


@named
@given(st.integers(0, 1000), st.floats(-100, 100))
@settings(max_examples=10, deadline=None)
def test_shift_of_all_scores_changes_nothing(loss, seed, shift):
    scores, y = draw(seed)
    torch.testing.assert_close(loss(scores + shift, y), loss(scores, y), rtol=1e-9, atol=1e-12)


@named
def test_order_of_classes_changes_nothing(loss):
    scores, y = draw(1)
    order = torch.tensor([3, 0, 4, 1, 2])
    torch.testing.assert_close(loss(scores[:, order], order.argsort()[y]), loss(scores, y))
    assert torch.equal(order[loss.predict(scores[:, order])], loss.predict(scores))


@named
def test_gradient_is_that_of_the_value(loss):
    scores, y = draw(2)
    assert torch.autograd.gradcheck(lambda s: loss(s, y), scores.requires_grad_())


@named
def test_largest_score_is_the_class(loss):
    assert loss.predict(torch.tensor([[0.0, 2.0, 1.0], [3.0, 2.0, 1.0]])).tolist() == [1, 0]


@named
def test_no_weights_so_nothing_enters_a_checkpoint(loss):
    assert not loss.state_dict()
