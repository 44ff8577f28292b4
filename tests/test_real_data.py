"""Dimension and sharpness of real images, against values computed by slow direct means.

Looks for the arrays in the folder named by PLUMBLINE_REAL_DATA and skips where it is not set.
Values tabulated for pairs of CIFAR-10 and MNIST classes are not asked for: the pairs are not named,
and over five pairs of CIFAR-10 d (MLE) ran from 15 to 18 and K_F from 8 to 13.
"""

import os
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from metrics.functional.label_sharpness import label_sharpness
from metrics.functional.mle_dimension import mle_dimension
from metrics.functional.neighbours import neighbours
from metrics.functional.twonn_dimension import twonn_dimension

FOLDER = os.environ.get("PLUMBLINE_REAL_DATA")
pytestmark = pytest.mark.skipif(FOLDER is None, reason="PLUMBLINE_REAL_DATA names no folder")


def load(name: str) -> tuple[Tensor, Tensor, Tensor | None]:
    """Images, labels and patients of one file, in one random order."""
    with np.load(Path(str(FOLDER)) / name) as file:
        x, y = torch.from_numpy(file["x"]), torch.from_numpy(file["y"])
        names = file.get("patient")
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(0))
    if names is None:
        return x[order], y[order], None
    patient = torch.from_numpy(np.unique(names, return_inverse=True)[1])
    return x[order], y[order], patient[order]


@pytest.mark.parametrize(
    ("name", "n", "mle", "twonn"),
    [("lgg_flair_128.npz", 2000, 10.0, 5.2), ("knee_oa_128.npz", 1750, 18.7, 31.2)],
)
def test_dimensions_read_as_tabulated(name, n, mle, twonn):
    found = neighbours(load(name)[0][:n], 25)
    assert mle_dimension(found, 20).dimension == pytest.approx(mle, rel=0.02)
    assert twonn_dimension(found).dimension == pytest.approx(twonn, rel=0.02)


def test_sharpness_of_knees_reads_as_tabulated():
    x, y, _ = load("knee_oa_128.npz")
    found = label_sharpness(x, y, value_range=255, draws=5, sample=1000)
    assert found.rms == pytest.approx(15.2, rel=0.03)


def test_sharpest_brain_slices_are_neighbours_in_one_patient():
    x, y, patient = load("lgg_flair_128.npz")
    found = label_sharpness(x, y, patient, value_range=255)
    i, j = found.pair
    distance = float((x[i].double() - x[j].double()).norm())
    assert found.rms == pytest.approx(255 * 128 / distance)
    # All 10^6 pairs by direct differences. The table's 60 cannot come from these images: no pair is
    # closer (squared distance 528,039), and 500 + 500 of them give 35 on average.
    assert found.rms == pytest.approx(44.9177, rel=1e-5)
    assert patient[i] == patient[j]
    assert found.between_groups < found.value
