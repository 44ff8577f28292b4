"""When an AUROC without an interval is evidence that scores separate the classes."""

import pytest
import torch
from torchmetrics.functional.classification import binary_auroc

from callbacks.training_log import CLEAR_AUROC, clear_auroc


@pytest.mark.parametrize(("negative", "positive"), [(12, 12), (30, 4), (200, 3)])
def test_random_scores_are_seldom_clear(negative, positive):
    y = torch.tensor([0] * negative + [1] * positive)
    random = torch.Generator().manual_seed(0)
    found = [float(binary_auroc(torch.rand(len(y), generator=random), y)) for _ in range(2000)]
    assert sum(one >= clear_auroc(y) for one in found) / len(found) < 0.035


@pytest.mark.parametrize("y", [[0, 1], [0] * 49 + [1], [0, 0, 0]])
def test_no_auroc_of_a_single_image_of_a_class_is_clear(y):
    assert clear_auroc(torch.tensor(y)) > 1


def test_many_images_keep_the_limit():
    assert clear_auroc(torch.arange(10).repeat(100)) == CLEAR_AUROC
