from functools import partial

import pytest
import torch

from datamodules.corruptions.pruned_images import PrunedImages, geometry_scores
from datamodules.errors import DataError
from datamodules.split import Split
from tests.datamodules.laws.geometries import decaying
from tests.datamodules.tasks.listings import noise_images

SHAPE = (3, 2, 2)  # D = 12
TRAIN, TEST = noise_images(200, shape=SHAPE), noise_images(10, seed=1, shape=SHAPE)
GEOMETRY = partial(decaying, 12)


def test_the_images_of_smallest_score_go_and_the_rest_keep_their_order():
    train, test = PrunedImages(0.3, geometry=GEOMETRY, per_class=False)(TRAIN, TEST, 0)
    score = geometry_scores(TRAIN, *decaying(12))
    assert len(train) == 140
    assert torch.equal(train.source, (score > score.sort().values[59]).nonzero()[:, 0])
    assert torch.equal(train.x, TRAIN.x[train.source])
    assert test is TEST


@pytest.mark.parametrize("by", ["score", "random"])
def test_classes_lose_alike(by):
    train, _ = PrunedImages(0.5, by, GEOMETRY)(TRAIN, TEST, 0)
    assert train.y.bincount().tolist() == [10] * 10


def test_score_and_random_keep_different_images():
    by_score, _ = PrunedImages(0.5, geometry=GEOMETRY)(TRAIN, TEST, 0)
    at_random, _ = PrunedImages(0.5, "random")(TRAIN, TEST, 0)
    assert not torch.equal(by_score.source, at_random.source)
    assert len(by_score) == len(at_random)


def test_scores_of_a_basis_sum_to_the_trace_and_do_not_see_contrast():
    values, vectors = decaying(12)
    both = torch.cat([vectors.T, -vectors.T])  # mean 0 in every channel

    def scores(scale):
        x = (scale * both).float().reshape(24, *SHAPE)
        return geometry_scores(Split(x, torch.zeros(24).long(), torch.arange(24)), values, vectors)

    std = both.reshape(24, 3, -1).square().mean((0, 2)).sqrt()
    assert torch.allclose(std, std[0].expand(3), rtol=1e-6)  # an orthonormal basis fills all alike
    assert torch.allclose(scores(1.0)[:12], values, rtol=1e-4)
    assert float(scores(1.0)[:12].sum()) == pytest.approx(float(values.sum()), rel=1e-5)
    assert torch.allclose(scores(7.0), scores(1.0), rtol=1e-4)


@pytest.mark.parametrize("fraction", [-0.1, 1.0])
def test_something_must_be_left(fraction):
    with pytest.raises(DataError, match="less than 1"):
        PrunedImages(fraction)


@pytest.mark.parametrize(("per_class", "of_class"), [(True, " of class 0"), (False, "")])
def test_an_image_of_each_class_must_be_left(per_class, of_class):
    few = TRAIN.take((TRAIN.y == 0).nonzero()[:3, 0])
    with pytest.raises(DataError, match=f"leaves none of 3 training images{of_class}; lower it"):
        PrunedImages(0.9, "random", per_class=per_class)(few, TEST, 0)


def test_a_score_needs_a_geometry():
    with pytest.raises(DataError, match="none is given"):
        PrunedImages(0.5)(TRAIN, TEST, 0)


def test_scores_that_slipped_against_their_images_prune_at_random():
    """The published code's mistake: as many images of each class go, but others."""
    slipped, _ = PrunedImages(0.5, geometry=GEOMETRY, aligned=False)(TRAIN, TEST, 0)
    right, _ = PrunedImages(0.5, geometry=GEOMETRY)(TRAIN, TEST, 0)
    assert len(slipped) == len(right)
    kept, best = (geometry_scores(TRAIN, *decaying(12))[s.source].mean() for s in (slipped, right))
    assert kept < best - 0.1
