"""Copies are found in any unit, and what is further away is not."""

import pytest
import torch

from metrics.functional.near_copies import NEAR, near_copies


@pytest.mark.parametrize("value_range", [1.0, 255.0])
def test_a_test_image_that_is_nearly_a_training_image_is_found(value_range):
    train = torch.rand(20, 1, 8, 8, generator=torch.Generator().manual_seed(0))
    test = torch.stack([1 - train[0], train[7] + 0.9 * NEAR, train[3] + 1.1 * NEAR, train[5]])
    found = near_copies(value_range * train, value_range * test, value_range)
    assert [pair[:2] for pair in found] == [(1, 7), (3, 5)]
    assert [pair[2] for pair in found] == pytest.approx(
        [0.9 * NEAR * value_range, 0], abs=1e-6 * value_range
    )


def test_without_images_there_are_no_copies():
    assert near_copies(torch.zeros(0, 4), torch.zeros(2, 4)) == []
    assert near_copies(torch.zeros(2, 4), torch.zeros(0, 4)) == []
