import numpy as np
import pytest
from PIL import Image

from datamodules.resize import per_image_max, resize

RANDOM = np.random.default_rng(0)


def test_the_same_size_changes_nothing():
    image = RANDOM.integers(0, 256, (8, 8, 3), np.uint8)
    assert (resize(image, 8, 3) == image.transpose(2, 0, 1)).all()


@pytest.mark.parity
@pytest.mark.parametrize("shape", [(9, 14), (60, 45), (200, 300)])
def test_bilinear_with_antialias_as_pillow(shape):
    image = RANDOM.integers(0, 256, shape, np.uint8)
    pillow = np.asarray(Image.fromarray(image).resize((28, 28), Image.Resampling.BILINEAR))
    difference = np.abs(resize(image, 28, 1)[0].astype(int) - pillow)
    assert difference.max() <= 1  # Pillow rounds between its two passes


@pytest.mark.parity
def test_gray_as_pillow():
    image = RANDOM.integers(0, 256, (16, 16, 3), np.uint8)
    pillow = np.asarray(Image.fromarray(image).convert("L")).astype(int)
    assert np.abs(resize(image, 16, 1)[0] - pillow).max() <= 1


def test_without_antialias_single_pixels_are_picked():
    stripes = np.tile(np.array([0, 0, 0, 255], np.uint8), (64, 16))
    assert np.unique(resize(stripes, 16, 1)[0, 4:-4, 4:-4]).tolist() == [64]
    assert 64 not in resize(stripes, 16, 1, antialias=False)


def test_gray_to_colour_repeats_and_rows_are_contiguous():
    image = resize(RANDOM.integers(0, 256, (5, 7), np.uint8), 6, 3)
    assert image.shape == (3, 6, 6)
    assert (image[0] == image[2]).all()
    turned = RANDOM.integers(0, 256, (3, 6, 6), np.uint8).transpose(1, 2, 0)
    assert resize(turned, 6, 3).flags.c_contiguous


def test_per_image_max_floors_and_leaves_black_alone():
    assert per_image_max(np.zeros((2, 2), np.uint8)).max() == 0
    dim = RANDOM.integers(3, 100, (9, 9, 3), np.uint8)
    expected = np.floor(dim.astype(float) * 255 / dim.max() + 1e-9)
    assert (per_image_max(dim) == expected).all()
    assert (per_image_max(per_image_max(dim)) == per_image_max(dim)).all()
