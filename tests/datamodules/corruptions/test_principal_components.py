import pytest
import torch

from datamodules.corruptions.principal_components import PrincipalComponents
from datamodules.errors import DataError
from tests.datamodules.tasks.listings import noise_images

SHAPE = (3, 4, 4)  # D = 48
TRAIN, TEST = noise_images(200, seed=1, shape=SHAPE), noise_images(30, seed=2, shape=SHAPE)
FEW = noise_images(20, seed=3, shape=SHAPE)  # fewer images than dimensions


def kept(*keep, train=TRAIN):
    return PrincipalComponents(keep)(train, TEST, 0)


def test_all_components_are_the_images_themselves():
    for train in (TRAIN, FEW):
        a, b = kept([0, 48], train=train)
        assert torch.equal(a.x, train.images())
        assert torch.equal(b.x, TEST.images())


def test_complementary_choices_add_up_to_the_image_and_the_mean_once():
    mean = TRAIN.images().mean(0)
    for part in (0, 1):
        low, high = kept([0, 10])[part], kept([10, 48])[part]
        whole = (TRAIN, TEST)[part].images()
        assert torch.allclose(low.x + high.x - mean, whole, atol=1e-5)


def test_projecting_twice_is_projecting_once():
    once = kept([3, 9], [20, 30])
    # 6 + 10 components with variance are left, and come first
    twice = PrincipalComponents([[0, 16]])(*once, 0)
    assert torch.allclose(twice[0].x, once[0].x, atol=1e-5)
    assert torch.allclose(twice[1].x, once[1].x, atol=1e-5)


def test_the_first_component_is_a_line():
    train, test = kept([0, 1])
    for split in (train, test):
        centred = (split.x - TRAIN.images().mean(0)).flatten(1).double()
        assert torch.linalg.matrix_rank(centred, rtol=1e-5) == 1


def test_nothing_is_fitted_on_the_test_images():
    other = noise_images(30, seed=9, shape=SHAPE)
    a, _ = PrincipalComponents([[0, 7]])(TRAIN, TEST, 0)
    b, _ = PrincipalComponents([[0, 7]])(TRAIN, other, 0)
    assert torch.equal(a.x, b.x)


def test_components_without_variance_come_all_or_none():
    kept([0, 19], train=FEW)
    kept([5, 48], train=FEW)
    with pytest.raises(DataError, match="have 19 components with variance"):
        kept([0, 30], train=FEW)


@pytest.mark.parametrize("bounds", [[0, 49], [5, 5], [-1, 3]])
def test_ranges_that_are_none(bounds):
    with pytest.raises(DataError, match=r"principal_components.keep"):
        kept(bounds)
