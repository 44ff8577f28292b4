from functools import partial

import pytest
import torch

from datamodules.corruptions.removed_directions import RemovedDirections
from datamodules.errors import DataError
from datamodules.normalised import normalised
from datamodules.split import Split
from tests.datamodules.laws.geometries import decaying
from tests.datamodules.tasks.listings import noise_images

SHAPE = (3, 2, 2)  # D = 12
TRAIN, TEST = noise_images(300, shape=SHAPE), noise_images(40, seed=1, shape=SHAPE)
GEOMETRY = partial(decaying, 12)


def seen(split):
    """As the network sees it, by the statistics of the training images before removal."""
    mean, std = (TRAIN.images().double().mean((0, 2, 3)), TRAIN.images().double().std((0, 2, 3)))
    return ((split.images().double() - mean[:, None, None]) / std[:, None, None]).flatten(1)


def test_removing_none_is_the_identity():
    for which in ("geometry", "random"):
        train, test = RemovedDirections(0, GEOMETRY, which)(TRAIN, TEST, 0)
        assert torch.allclose(train.x, TRAIN.images())
        assert torch.allclose(test.x, TEST.images())


def removed(split):
    """How many directions."""
    return 12 - int(torch.linalg.matrix_rank(seen(split), rtol=1e-4))


def share(train):
    """Of the variance that is left."""
    return float(seen(train).square().sum() / seen(TRAIN).square().sum())


def test_the_removed_directions_are_gone_from_both_splits():
    train, test = RemovedDirections(4, GEOMETRY)(TRAIN, TEST, 0)
    assert removed(train) == removed(test) == 4


def test_the_first_direction_solves_the_generalised_problem():
    ridge = 1e-3
    train, _ = RemovedDirections(1, GEOMETRY, ridge=ridge)(TRAIN, TEST, 0)
    gone = seen(TRAIN) - seen(train)
    v = torch.linalg.svd(gone).Vh[0]
    x = torch.cat(list(normalised(TRAIN, TRAIN)))
    s = x.T @ x / len(x)
    values, vectors = decaying(12)
    g = vectors @ values.diag() @ vectors.T + ridge * values[0] * torch.eye(12)
    mu = torch.linalg.eigvals(torch.linalg.solve(g, s)).real.max()
    assert torch.allclose(s @ v, mu * g @ v, atol=1e-4)


def test_white_data_loses_what_the_geometry_sees_least():
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(4000, *SHAPE, generator=generator)
    white = Split(x, torch.zeros(4000).long(), torch.arange(4000))
    train, _ = RemovedDirections(2, GEOMETRY)(white, TEST, 0)
    _, vectors = decaying(12)
    left = (train.x.flatten(1).double() @ vectors).var(0)
    assert left[:8].min() > 0.7
    assert left[-2:].max() < 0.1


def test_random_directions_remove_as_much_variance_and_no_more_than_needed():
    (by_geometry, _), (train, test) = (
        RemovedDirections(5, GEOMETRY, which)(TRAIN, TEST, 0) for which in ("geometry", "random")
    )
    less = share(by_geometry) - share(train)
    assert -1e-5 <= less < 0.25  # one direction of white noise holds some 1/12
    assert 3 <= removed(train) == removed(test) <= 8


@pytest.mark.parametrize(("count", "ridge"), [(-1, 1.0), (1, 0.0)])
def test_settings_out_of_range(count, ridge):
    with pytest.raises(DataError, match="removed_directions"):
        RemovedDirections(count, GEOMETRY, ridge=ridge)


def test_more_directions_than_dimensions():
    with pytest.raises(DataError, match="12 values"):
        RemovedDirections(13, GEOMETRY)(TRAIN, TEST, 0)


def test_the_published_code_removed_what_the_network_sees_best():
    train, _ = RemovedDirections(1, GEOMETRY, solve="gsg")(TRAIN, TEST, 0)
    v = torch.linalg.svd(seen(TRAIN) - seen(train)).Vh[0]
    x = torch.cat(list(normalised(TRAIN, TRAIN)))
    values, vectors = decaying(12)
    g = vectors @ values.diag() @ vectors.T
    first = torch.linalg.eigh(g @ (x.T @ x / len(x)) @ g).eigenvectors[:, -1]
    assert float((v @ first).abs()) == pytest.approx(1, abs=1e-3)
