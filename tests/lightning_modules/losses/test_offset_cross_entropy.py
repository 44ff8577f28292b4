import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lightning_modules.losses.cross_entropy import CrossEntropy
from lightning_modules.losses.offset_cross_entropy import OffsetCrossEntropy


def draw(seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    scores = torch.randn(16, 10, generator=generator, dtype=torch.float64)
    return scores, torch.randint(10, (16,), generator=generator)


@given(st.integers(0, 1000), st.floats(0, 2), st.floats(0.05, 8), st.floats(0.1, 10))
@settings(max_examples=30, deadline=None)
def test_scores_offset_and_temperature_share_one_unit(seed, offset, temperature, unit):
    scores, y = draw(seed)
    plain = OffsetCrossEntropy(offset, temperature)(scores, y)
    scaled = OffsetCrossEntropy(unit * offset, unit * temperature)(unit * scores, y)
    torch.testing.assert_close(scaled, unit * plain)


def test_without_offset_it_is_tempered_cross_entropy():
    scores, y = draw(0)
    torch.testing.assert_close(OffsetCrossEntropy(0, 1)(scores, y), CrossEntropy()(scores, y))
    torch.testing.assert_close(
        OffsetCrossEntropy(0, 8)(scores, y), 8 * CrossEntropy()(scores / 8, y)
    )


def test_small_temperature_is_the_missing_margin():
    offset = math.sqrt(2) * 36 / 255
    scores = torch.tensor([[0.05, 0.0, -9.0], [1.0, 0.0, -9.0], [0.0, 1.0, 0.0]]).double()
    loss = OffsetCrossEntropy(offset, 1e-4)(scores, torch.zeros(3).long(), reduction="none")
    assert loss.tolist() == pytest.approx([offset - 0.05, 0, offset + 1], abs=1e-3)


@given(st.integers(0, 1000), st.floats(0, 2), st.floats(0.05, 8))
@settings(max_examples=20, deadline=None)
def test_gradient_is_bounded_and_more_offset_costs_more(seed, offset, temperature):
    scores, y = draw(seed)
    scores.requires_grad_()
    loss = OffsetCrossEntropy(offset, temperature)
    (gradient,) = torch.autograd.grad(loss(scores, y, reduction="sum"), scores)
    assert (gradient.norm(dim=1) <= math.sqrt(2) + 1e-12).all()
    assert (OffsetCrossEntropy(offset + 0.1, temperature)(scores, y) > loss(scores, y)).all()


@pytest.mark.parametrize(("offset", "temperature"), [(-0.1, 1.0), (0.1, 0.0), (math.nan, 1.0)])
def test_bad_settings_are_named(offset, temperature):
    with pytest.raises(ValueError, match=f"offset={offset}, temperature={temperature}"):
        OffsetCrossEntropy(offset, temperature)
