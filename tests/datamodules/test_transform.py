from dataclasses import replace

import numpy as np
import pytest
import torch

from datamodules.corruptions.centre_crop import CentreCrop
from datamodules.corruptions.gaussian_pixels import GaussianPixels
from datamodules.corruptions.principal_components import PrincipalComponents
from datamodules.corruptions.pruned_images import PrunedImages
from datamodules.corruptions.removed_directions import RemovedDirections
from datamodules.corruptions.shuffled_pixels import ShuffledPixels
from datamodules.image_data import ImageData
from datamodules.readers.digits import Digits
from datamodules.split import Split
from datamodules.tasks.all import All
from datamodules.tasks.function import Function
from datamodules.transform import apply_transforms
from tests.datamodules.tasks.listings import noise_images

TRAIN, TEST = noise_images(20, shape=(1, 6, 6)), noise_images(10, seed=1, shape=(1, 6, 6))


def digits(cache, **settings):
    data = ImageData(
        name="digits",
        reader=Digits,
        n=100,
        seed=0,
        batch_size=16,
        cache=cache,
        size=8,
        test_n=50,
        **{"task": All(), **settings},
    ).module()
    data.setup()
    return data


def test_transforms_come_in_the_order_written():
    crop, shuffle = CentreCrop(4), ShuffledPixels()
    cropped_first, _ = apply_transforms([crop, shuffle], TRAIN, TEST, 0)
    named, _ = apply_transforms({"a": crop, "b": shuffle}, TRAIN, TEST, 0)
    shuffled_first, _ = apply_transforms([shuffle, crop], TRAIN, TEST, 0)
    assert torch.equal(cropped_first.x, named.x)
    assert not torch.equal(cropped_first.x, shuffled_first.x)


def test_none_is_the_identity():
    assert apply_transforms((), TRAIN, TEST, 0) == (TRAIN, TEST)


def test_image_data_describes_what_comes_out(tmp_path):
    data = digits(tmp_path, transforms={"crop": CentreCrop(4)})
    assert data.spec.size == 4
    assert data.train.x.shape == (100, 1, 4, 4)
    assert data.spec.value_range == (0.0, 1.0)
    assert data.spec.mean == pytest.approx([float(data.train.images().mean())], abs=1e-6)


def test_projected_images_have_no_value_range(tmp_path):
    data = digits(tmp_path, transforms=[PrincipalComponents([[0, 10]])])
    assert data.train.x.dtype == torch.float32
    assert data.spec.value_range is None


def test_transforms_leave_the_cache_alone(tmp_path):
    before = digits(tmp_path).train.x.clone()
    digits(tmp_path, transforms=[ShuffledPixels()])
    assert torch.equal(digits(tmp_path).train.x, before)


def test_a_function_task_sees_the_transformed_images(tmp_path):
    u = [0.0] * 16
    u[5] = 1.0
    data = digits(tmp_path, transforms=[CentreCrop(4)], task=Function(direction=u, jitter=0.0))
    pixel = data.train.x[:, 0, 1, 1].double()
    assert torch.equal(data.train.y, (pixel > pixel.quantile(0.5)).long())
    assert data.spec.classes == ("below", "above")


def test_label_noise_is_counted_against_clean_labels(tmp_path):
    clean, noisy = digits(tmp_path), digits(tmp_path, task=All(noise=1.0))
    assert torch.equal(noisy.train.clean_y, clean.train.y)
    assert noisy.train.corrupted.float().mean() > 0.7
    assert torch.equal(noisy.test.y, clean.test.y)


def held_out_splits(test_n=8):
    random = np.random.default_rng(0)
    x = torch.from_numpy(random.random((40, 1, 4, 4))).float()
    x[30:] *= 9  # validation images, which would change any fit
    marked = Split(x, torch.arange(40) % 2, torch.arange(40), set_aside=torch.arange(40) >= 30)
    alone = marked.fitted
    test = Split(x[:test_n], marked.y[:test_n], marked.source[:test_n])
    return marked, alone, test


@pytest.mark.parametrize(
    "transform",
    [
        PrincipalComponents([[0, 3]]),
        GaussianPixels("pixel"),
        PrunedImages(0.5, geometry=lambda: (torch.ones(16), torch.eye(16))),
        RemovedDirections(2, geometry=lambda: (torch.arange(16, 0, -1.0), torch.eye(16))),
    ],
    ids=lambda one: type(one).__name__,
)
def test_nothing_is_fitted_on_validation_images(transform):
    marked, alone, test = held_out_splits()
    with_validation, its_test = transform(marked, test, 0)
    without, test_without = transform(replace(alone, set_aside=None), test, 0)
    assert its_test.x.equal(test_without.x)
    assert with_validation.fitted.x.equal(without.x)
    assert int(with_validation.set_aside.sum()) == 10


def test_the_median_of_labels_is_that_of_the_images_trained_on():
    marked, alone, test = held_out_splits()
    task = Function(kind="linear", direction="random", jitter=0.0)
    labelled, its_test = task.assign(marked, test, 0)
    without, test_without = task.assign(replace(alone, set_aside=None), test, 0)
    assert labelled.fitted.y.equal(without.y)
    assert its_test.y.equal(test_without.y)
