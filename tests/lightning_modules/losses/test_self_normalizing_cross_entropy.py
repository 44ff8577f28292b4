import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lightning_modules.losses.offset_cross_entropy import OffsetCrossEntropy
from lightning_modules.losses.self_normalizing_cross_entropy import SelfNormalizingCrossEntropy


def draw(seed: int, points: int = 16) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    scores = torch.randn(points, 10, generator=generator, dtype=torch.float64)
    return scores, torch.randint(10, (points,), generator=generator)


@given(st.integers(0, 1000), st.floats(1e-6, 1e6))
@settings(max_examples=30, deadline=None)
def test_without_t_the_scale_of_scores_does_not_count(seed, scale):
    scores, y = draw(seed)
    loss = SelfNormalizingCrossEntropy(t=0)
    torch.testing.assert_close(loss(scale * scores, y), loss(scores, y))


@given(st.integers(0, 1000), st.floats(0.01, 10), st.floats(0.1, 10))
@settings(max_examples=30, deadline=None)
def test_t_has_the_unit_of_the_scores(seed, t, scale):
    scores, y = draw(seed)
    scaled = SelfNormalizingCrossEntropy(scale * t)(scale * scores, y)
    torch.testing.assert_close(scaled, SelfNormalizingCrossEntropy(t)(scores, y))


def test_one_hot_scores_are_the_minimum_and_it_is_not_zero():
    # One-hot scores of 10 classes have unbiased variance 1/10: a lead of sqrt(10) - 1 remains.
    lowest = math.log(1 + 9 * math.exp(1 - math.sqrt(10)))
    loss = SelfNormalizingCrossEntropy(t=0)
    assert lowest == pytest.approx(0.7108, abs=5e-5)
    assert loss(torch.eye(10).double(), torch.arange(10)).item() == pytest.approx(lowest)
    scores, y = draw(0, points=5000)
    near = torch.eye(10).double()[y] + 0.01 * scores
    assert loss(near, y, reduction="none").min() > lowest
    assert loss(scores, y, reduction="none").min() > lowest


def test_small_scores_see_an_offset_cross_entropy():
    scores, y = draw(1)
    t, small = 0.1, 1e-9 * scores
    expected = OffsetCrossEntropy(offset=t, temperature=t)(small, y) / t
    torch.testing.assert_close(SelfNormalizingCrossEntropy(t)(small, y), expected)
    # To first order too: the gradients agree.
    gradients = []
    for loss in (SelfNormalizingCrossEntropy(t), OffsetCrossEntropy(t, t)):
        leaf = small.clone().requires_grad_()
        gradients.append(torch.autograd.grad(loss(leaf, y), leaf)[0])
    torch.testing.assert_close(gradients[0], gradients[1] / t, rtol=1e-6, atol=0)


def test_equal_scores_have_a_gradient_with_t_and_no_loss_without():
    scores, y = torch.zeros(2, 10, requires_grad=True), torch.tensor([0, 1])
    (gradient,) = torch.autograd.grad(SelfNormalizingCrossEntropy(0.1)(scores, y), scores)
    assert gradient.isfinite().all()
    assert (gradient != 0).all()
    assert SelfNormalizingCrossEntropy(0)(scores, y).isnan()


@pytest.mark.parametrize("t", [-0.1, math.nan])
def test_bad_t_is_named(t):
    with pytest.raises(ValueError, match=f"t={t}"):
        SelfNormalizingCrossEntropy(t)
