"""The AUROC of random scores, against simulation."""

import pytest
import torch
from torchmetrics.functional.classification import binary_auroc

from metrics.functional.chance_auroc import chance_auroc


@pytest.mark.parametrize(("negative", "positive"), [(12, 12), (30, 4), (200, 3)])
def test_random_scores_are_seldom_above(negative, positive):
    y = torch.tensor([0] * negative + [1] * positive)
    random = torch.Generator().manual_seed(0)
    found = [float(binary_auroc(torch.rand(len(y), generator=random), y)) for _ in range(2000)]
    assert sum(one >= chance_auroc(y) for one in found) / len(found) < 0.035


@pytest.mark.parametrize("y", [[0, 1], [0] * 49 + [1], [0, 0, 0]])
def test_no_auroc_of_a_single_image_of_a_class_is_above(y):
    assert chance_auroc(torch.tensor(y)) > 1


def test_many_images_leave_little_to_chance():
    assert chance_auroc(torch.arange(10).repeat(100)) < 0.56
