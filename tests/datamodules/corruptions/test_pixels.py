import pytest
import torch

from datamodules.corruptions.centre_crop import CentreCrop
from datamodules.corruptions.gaussian_pixels import GaussianPixels
from datamodules.corruptions.random_pixels import RandomPixels
from datamodules.corruptions.shuffled_pixels import ShuffledPixels
from datamodules.errors import DataError
from datamodules.split import Split
from tests.datamodules.tasks.listings import noise_images

TRAIN, TEST = noise_images(60, seed=1, shape=(3, 6, 6)), noise_images(20, seed=2, shape=(3, 6, 6))
EVERY = [CentreCrop(4), GaussianPixels(), GaussianPixels("pixel"), RandomPixels(), ShuffledPixels()]


def first(split, n):
    return Split(split.x[:n], split.y[:n], split.source[:n])


def colours(split):
    """The pixels of each image as triples, sorted: what no permutation of places changes."""
    code = split.x.long().flatten(2)
    return (code[:, 0] * 65536 + code[:, 1] * 256 + code[:, 2]).sort(1).values


@pytest.mark.parametrize("corruption", EVERY)
def test_labels_stay_inputs_stay_and_dtype_stays(corruption):
    before = TRAIN.x.clone()
    train, test = corruption(TRAIN, TEST, 0)
    assert torch.equal(TRAIN.x, before)
    assert train.x.dtype == torch.uint8
    assert train.x.shape[:2] == TRAIN.x.shape[:2]
    assert torch.equal(train.y, TRAIN.y)
    assert torch.equal(test.y, TEST.y)


@pytest.mark.parametrize("corruption", [RandomPixels(), ShuffledPixels(), GaussianPixels()])
def test_the_seed_decides(corruption):
    (a, s), (b, t), (c, u) = (corruption(TRAIN, TEST, seed) for seed in (0, 0, 1))
    assert torch.equal(a.x, b.x)
    assert torch.equal(s.x, t.x)
    assert not torch.equal(a.x, c.x)
    assert not torch.equal(s.x, u.x)


@pytest.mark.parametrize("corruption", [CentreCrop(3), RandomPixels(), ShuffledPixels()])
def test_a_smaller_n_has_the_first_images_of_a_larger(corruption):
    small, large = (corruption(first(TRAIN, n), TEST, 0)[0] for n in (20, 60))
    assert torch.equal(small.x, large.x[:20])


@pytest.mark.parametrize("corruption", [RandomPixels(), ShuffledPixels()])
def test_pixels_move_whole_and_none_is_lost(corruption):
    train, test = corruption(TRAIN, TEST, 0)
    assert torch.equal(colours(train), colours(TRAIN))
    assert torch.equal(colours(test), colours(TEST))
    assert not torch.equal(train.x, TRAIN.x)


def places():
    x = torch.arange(36, dtype=torch.uint8).reshape(1, 1, 6, 6).repeat(50, 1, 1, 1)
    return Split(x, torch.zeros(50).long(), torch.arange(50))


def test_shuffled_is_one_permutation_for_all_and_random_one_for_each():
    train, test = ShuffledPixels()(places(), places(), 0)
    assert len(torch.cat([train.x, test.x]).flatten(1).unique(dim=0)) == 1
    train, test = RandomPixels()(places(), places(), 0)
    assert len(torch.cat([train.x, test.x]).flatten(1).unique(dim=0)) == 100


def test_random_places_are_uniform():
    many = Split(places().x.repeat(200, 1, 1, 1), torch.zeros(10_000).long(), torch.arange(10_000))
    moved, _ = RandomPixels()(many, TEST, 0)
    mean = moved.x.float().flatten(1).mean(0)  # each place sees all of 0..35 alike
    assert (mean - 17.5).abs().max() < 5 * 10.39 / 100


def test_gaussian_pixels_have_the_channels_mean_and_deviation():
    generator = torch.Generator().manual_seed(0)
    centre = torch.tensor([90.0, 128.0, 160.0]).reshape(3, 1, 1)
    spread = torch.tensor([5.0, 10.0, 15.0]).reshape(3, 1, 1)
    x = centre + spread * torch.randn(400, 3, 8, 8, generator=generator)
    calm = Split(x.round().to(torch.uint8), torch.zeros(400).long(), torch.arange(400))
    for match in ("channel", "pixel"):
        train, test = GaussianPixels(match)(calm, calm, 0)
        assert not torch.equal(train.x, test.x)
        for split in (train, test):
            pixels = split.x.double()
            assert torch.allclose(pixels.mean((0, 2, 3)), centre.flatten().double(), atol=0.5)
            assert torch.allclose(pixels.std((0, 2, 3)), spread.flatten().double(), rtol=0.03)


def test_matching_each_pixel_keeps_a_dark_border():
    x = torch.full((300, 1, 6, 6), 128, dtype=torch.uint8)
    x[:, :, 0] = 0
    x[::2, :, 1:] = 100
    images = Split(x, torch.zeros(300).long(), torch.arange(300))
    by_pixel, _ = GaussianPixels("pixel")(images, TEST, 0)
    by_channel, _ = GaussianPixels("channel")(images, TEST, 0)
    assert by_pixel.x[:, :, 0].max() == 0
    assert by_channel.x[:, :, 0].max() > 0


@pytest.mark.parametrize(("size", "start"), [(4, 1), (6, 0), (3, 1), (1, 2)])
def test_the_crop_is_central(size, start):
    train, test = CentreCrop(size)(TRAIN, TEST, 0)
    inside = slice(start, start + size)
    assert torch.equal(train.x, TRAIN.x[:, :, inside, inside])
    assert torch.equal(test.x, TEST.x[:, :, inside, inside])


@pytest.mark.parametrize("size", [0, 7])
def test_a_crop_larger_than_the_image_is_refused(size):
    with pytest.raises(DataError, match="images are 6 px; use 1 to 6"):
        CentreCrop(size)(TRAIN, TEST, 0)
