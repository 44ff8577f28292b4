import math

import numpy as np
import pytest
import torch

from lightning_modules.networks.normalize import Normalize


@pytest.fixture
def images():
    return torch.rand(4, 3, 28, 28, generator=torch.Generator().manual_seed(0))


def test_none_changes_nothing(images):
    assert Normalize()(images) is images


def test_dataset_and_centre(images):
    mean, std = (0.4914, 0.4822, 0.4465), (0.247, 0.243, 0.261)
    scaled, centred = Normalize("dataset", mean, std)(images), Normalize("centre", mean)(images)
    for channel in range(3):
        expected = images[:, channel] - mean[channel]
        torch.testing.assert_close(centred[:, channel], expected)
        torch.testing.assert_close(scaled[:, channel], expected / std[channel])


def test_image_has_mean_0_and_biased_std_1(images):
    rows = Normalize("image")(images).flatten(1)
    torch.testing.assert_close(rows.mean(1), torch.zeros(4), atol=1e-6, rtol=0)
    torch.testing.assert_close(rows.std(1, correction=0), torch.ones(4))


def test_channel_has_mean_0_and_unbiased_std_1_in_each_channel(images):
    rows = Normalize("channel")(images).flatten(2)
    torch.testing.assert_close(rows.mean(2), torch.zeros(4, 3), atol=1e-6, rtol=0)
    torch.testing.assert_close(rows.std(2), torch.ones(4, 3))


@pytest.mark.parametrize(("kind", "floor"), [("image", 0.0206), ("channel", 0.0357)])
def test_the_published_floors_at_28_pixels(images, kind, floor):
    faint = 0.5 + 1e-4 * (images - 0.5)
    dims = (1, 2, 3) if kind == "image" else (2, 3)
    expected = (faint - faint.mean(dims, keepdim=True)) / floor
    torch.testing.assert_close(Normalize(kind)(faint), expected, rtol=2e-3, atol=1e-5)


@pytest.mark.parametrize("kind", ["image", "channel"])
def test_a_flat_image_is_0_with_a_finite_gradient(kind):
    flat = torch.full((1, 3, 8, 8), 0.3, requires_grad=True)
    white = Normalize(kind)(flat)
    (gradient,) = torch.autograd.grad(white[0, 0, 0, 0], flat)
    torch.testing.assert_close(white, torch.zeros_like(white), atol=1e-5, rtol=0)
    slope = math.sqrt(192) * (1 - 1 / 192) if kind == "image" else 8 * (1 - 1 / 64)
    assert gradient[0, 0, 0, 0].item() == pytest.approx(slope, rel=1e-5)


def test_its_gradient_is_in_pixel_units(images):
    layer = Normalize("dataset", (0.5,) * 3, (0.25, 0.5, 0.125))
    jacobian = torch.func.jacrev(lambda x: layer(x).sum((-2, -1)))(images[0])
    slopes = jacobian.sum((-2, -1)) / 28**2
    torch.testing.assert_close(slopes, torch.diag(torch.tensor([4.0, 2.0, 8.0])))


@pytest.mark.parametrize("mean", [[0], np.array([0.0]), torch.zeros(1, dtype=torch.float64)])
def test_any_sequence_of_numbers_gives_float32(mean):
    assert Normalize("centre", mean)(torch.rand(2, 1, 4, 4)).dtype == torch.float32


def test_moves_with_the_network_but_is_not_saved():
    layer = Normalize("dataset", (0.5,), (0.25,))
    assert layer.to(torch.float64).mean.dtype == torch.float64
    assert not layer.state_dict()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("datset",), "use one of none, dataset"),
        (("centre",), "needs the mean"),
        (("dataset", (0.5,)), "1 positive standard deviations"),
        (("dataset", (0.5, 0.5), (0.2, 0.0)), "normalize=centre"),
    ],
)
def test_wrong_arguments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Normalize(*arguments)


def test_one_channel_is_not_silently_made_three():
    with pytest.raises(ValueError, match=r"1 channels.*means of 3"):
        Normalize("centre", (0.5, 0.5, 0.5))(torch.rand(2, 1, 4, 4))
