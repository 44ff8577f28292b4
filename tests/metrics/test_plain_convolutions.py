"""A block without oneDNN: for which networks, the same gradients, and the setting after it."""

import pytest
import torch
from torch import nn

from metrics.functional.input_gradients import input_gradients
from metrics.functional.plain_convolutions import plain_convolutions

FEW = nn.Sequential(nn.Conv2d(1, 6, 3), nn.ReLU(), nn.Conv2d(6, 20, 3), nn.Flatten())


@pytest.mark.parametrize(
    ("model", "needed"),
    [(FEW, True), (nn.Sequential(FEW, nn.Conv2d(20, 4, 3)), False), (nn.Linear(4, 2), False)],
)
def test_only_where_all_convolutions_have_few_channels(model, needed):
    with plain_convolutions(model):
        assert torch.backends.mkldnn.enabled is not needed


def test_the_setting_returns_after_an_error():
    with pytest.raises(RuntimeError, match="inside"), plain_convolutions(FEW):
        raise RuntimeError("inside")
    assert torch.backends.mkldnn.enabled


def test_gradients_are_the_same():
    x = torch.randn(4, 1, 12, 12)
    usual = input_gradients(FEW, x, "mean")
    with plain_convolutions(FEW):
        torch.testing.assert_close(input_gradients(FEW, x, "mean"), usual)
