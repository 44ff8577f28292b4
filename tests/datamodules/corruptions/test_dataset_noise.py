import pytest
import torch

from datamodules.base import TensorDataModule
from datamodules.corruptions.dataset_noise import DatasetNoise
from datamodules.errors import DataError
from tests.datamodules.tasks.listings import noise_images

SHAPE = (3, 4, 4)  # D = 48
TRAIN, TEST = noise_images(100, seed=1, shape=SHAPE), noise_images(30, seed=2, shape=SHAPE)


class Second(TensorDataModule):
    """White noise of the shape asked for."""

    name, domain, classes = "second", "natural", ("a", "b")

    def __init__(self, n, test_n, size, channels, seed, batch_size):
        super().__init__(n, seed, batch_size)
        self.test_n, self.shape = test_n, (channels, size, size)

    def module(self):
        return self

    def load(self):
        return (
            noise_images(self.n, seed=11, shape=self.shape),
            noise_images(self.test_n, seed=12, shape=self.shape),
        )


SECOND = noise_images(100, seed=11, shape=SHAPE), noise_images(30, seed=12, shape=SHAPE)


def mixed(components, **settings):
    return DatasetNoise(Second, components, **settings)(TRAIN, TEST, 0)


def unopened(**_):
    raise AssertionError("opened")


def test_no_components_are_no_noise_and_the_second_set_stays_closed():
    assert DatasetNoise(unopened, 0)(TRAIN, TEST, 0) == (TRAIN, TEST)


def test_all_components_are_the_plain_average():
    for split, first, second in zip(mixed(48), (TRAIN, TEST), SECOND, strict=True):
        average = (first.x.double() + second.x.double()) / 2
        assert split.x.dtype == torch.uint8
        assert (split.x.double() - average).abs().max() <= 0.51  # rounded to a level


def test_one_component_is_nearly_the_second_sets_mean():
    train, _ = mixed(1)
    average = (TRAIN.images() + SECOND[0].images().mean(0)) / 2
    # white noise: one of 48 components holds some 1/48 of its variance
    distance = (train.images() - average).square().sum()
    full = (mixed(48)[0].images() - average).square().sum()
    assert 0.005 < float(distance / full) < 0.08


def test_more_components_come_nearer_to_the_plain_average():
    whole = mixed(48)[0].images()
    gaps = [float((mixed(k)[0].images() - whole).square().sum()) for k in (1, 10, 30, 48)]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[-1] == 0


def test_stretched_images_reach_black_and_white():
    train, _ = mixed(48, contrast="stretch")
    z = SECOND[0].images()
    low, high = z.amin((2, 3), keepdim=True), z.amax((2, 3), keepdim=True)
    expected = (TRAIN.images() + (z - low) / (high - low)) / 2
    assert (train.images() - expected).abs().max() < 0.51 / 255 + 1e-5


def test_components_of_its_own_reconstruct_the_test_split_better():
    whole = mixed(48)[1].images()
    gap = {
        fit: float((mixed(20, fit=fit)[1].images() - whole).square().sum())
        for fit in ("train", "apart")
    }
    assert gap["apart"] < gap["train"]


@pytest.mark.parametrize(
    ("components", "message"), [(49, "at most 48"), (-1, "0 .no noise. or more")]
)
def test_more_components_than_there_are(components, message):
    with pytest.raises(DataError, match=message):
        mixed(components)
