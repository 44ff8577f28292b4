import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from datamodules.errors import DataError
from datamodules.split import Split
from datamodules.tasks.function import Function, data_geometry
from tests.datamodules.tasks.listings import noise_images, ten_classes

TRAIN, TEST = noise_images(400, seed=1), noise_images(101, seed=2)


def brightness(split):
    """x^T u for u = (1, ..., 1), of the images as channels normalised by the training set."""
    train = TRAIN.images().double()
    mean, std = train.mean((0, 2, 3), True), train.std((0, 2, 3), correction=0, keepdim=True)
    return ((split.images().double() - mean) / std).flatten(1).sum(1)


def relabel(seed=0, **settings):
    return Function(**settings).relabel(TRAIN, TEST, 2, seed)


@pytest.mark.parametrize("units", ["projection", "channel", "pixel"])
@pytest.mark.parametrize("jitter_of", ["projection", "channel", "range"])
@pytest.mark.parametrize("kind", ["linear", "quadratic", "sinusoidal"])
def test_half_of_the_training_images_are_on_either_side(kind, jitter_of, units):
    train, test = relabel(kind=kind, jitter_of=jitter_of, units=units)
    assert train.y.bincount().tolist() == [200, 200]
    assert 0.2 < test.y.float().mean() < 0.8


@given(st.integers(0, 10_000), st.sampled_from(["linear", "quadratic", "sinusoidal"]))
@settings(max_examples=15, deadline=None)
def test_balance_holds_for_every_direction(seed, kind):
    assert relabel(seed, kind=kind)[0].y.sum() == 200


def test_linear_labels_are_the_sign_of_the_projection():
    u = torch.zeros(3, 4, 4)
    u[1, 2, 3] = 1  # one pixel of the green channel: row 2, column 3
    train, _ = relabel(direction=u.flatten().tolist(), jitter=0.0)
    pixel = TRAIN.x[:, 1, 2, 3].double()
    assert torch.equal(train.y, (pixel > pixel.median()).long())
    assert train.clean_y is None


def test_quadratic_labels_are_far_from_the_mean_and_pixel_units_are_not():
    u = torch.ones(48)
    far = brightness(TRAIN).square()
    train, _ = relabel(kind="quadratic", direction=u.tolist(), jitter=0.0)
    assert torch.equal(train.y, (far > np.median(far)).long())
    raw, _ = relabel(kind="quadratic", direction=u.tolist(), units="pixel", jitter=0.0)
    v = TRAIN.images().double().flatten(1).sum(1)
    assert torch.equal(raw.y, (v > np.median(v)).long())  # bright images: the square is monotone


def test_sinusoidal_labels_in_closed_form():
    u = torch.ones(48)
    v = brightness(TRAIN)
    for units, scale in (("projection", v.std(correction=0)), ("channel", u.norm())):
        wave = torch.sin(math.pi * v / scale)
        train, _ = relabel(kind="sinusoidal", direction=u.tolist(), units=units, jitter=0.0)
        assert torch.equal(train.y, (wave > np.median(wave)).long())


def test_the_test_set_is_cut_at_the_training_median():
    _, test = relabel(direction=[1.0] * 48, jitter=0.0)
    cut = np.median(brightness(TRAIN))
    assert torch.equal(test.y, (brightness(TEST) > cut).long())
    _, own = relabel(direction=[1.0] * 48, jitter=0.0, median_of="test")
    assert own.y.sum() == 50  # of 101: the median itself is not above


@pytest.mark.parametrize(("jitter_of", "share"), [("projection", 0.2), ("channel", 0.2)])
def test_jitter_changes_labels_as_two_correlated_normals_would(jitter_of, share):
    # of white noise every direction has the channel's variance: both rules mean the same
    train, _ = Function(jitter_of=jitter_of, jitter=share).relabel(
        noise_images(20_000, seed=5), TEST, 2, 0
    )
    flipped = math.atan(math.sqrt(share)) / math.pi  # P(sign(a) != sign(a + sqrt(share) b))
    assert float(train.corrupted.float().mean()) == pytest.approx(flipped, abs=0.012)


def test_channel_jitter_drowns_a_weak_direction_and_projection_jitter_does_not():
    generator = torch.Generator().manual_seed(0)
    flat = torch.rand(2000, 1, 1, 1, generator=generator).expand(-1, 1, 8, 8)
    x = (flat * 200 + 20 + 6 * torch.rand(2000, 1, 8, 8, generator=generator)).to(torch.uint8)
    images = Split(x=x, y=torch.zeros(2000).long(), source=torch.arange(2000))
    weak = [1.0, -1.0] * 32
    rate = {
        of: float(
            Function(direction=weak, jitter_of=of)
            .relabel(images, images, 2, 0)[0]
            .corrupted.float()
            .mean()
        )
        for of in ("channel", "projection")
    }
    assert rate["channel"] > 0.4
    assert rate["projection"] < 0.2


def test_labels_depend_on_the_seed_alone_and_images_stay():
    (a, _), (b, _), (c, _) = relabel(0), relabel(0), relabel(1)
    assert torch.equal(a.y, b.y)
    assert not torch.equal(a.y, c.y)
    assert a.x is TRAIN.x


def test_an_eigenvector_of_the_geometry_labels():
    q, _ = torch.linalg.qr(torch.randn(48, 48, generator=torch.Generator().manual_seed(0)))

    def geometry():
        return torch.arange(48, 0, -1), q

    by_number, _ = relabel(direction=5, geometry=geometry)
    by_hand, _ = relabel(direction=q[:, 5].tolist())
    assert torch.equal(by_number.y, by_hand.y)


def test_an_eigenvector_of_gsg_labels():
    q, _ = torch.linalg.qr(torch.randn(48, 48, generator=torch.Generator().manual_seed(0)))
    values = 0.9 ** torch.arange(48)

    def geometry():
        return values, q

    u = data_geometry(values, q, TRAIN)[1][:, 5]
    by_number, _ = relabel(direction=5, geometry=geometry, matrix="GSG")
    by_hand, _ = relabel(direction=u.tolist())
    assert torch.equal(by_number.y, by_hand.y)
    with pytest.raises(DataError, match="48 eigenvectors"):
        relabel(direction=48, geometry=geometry, matrix="GSG")


def test_label_noise_comes_on_top_and_clean_labels_stay():
    quiet, _ = relabel(jitter=0.0)
    noisy, _ = relabel(jitter=0.0, noise=1.0)
    assert torch.equal(noisy.clean_y, quiet.y)
    assert noisy.corrupted.any()


def test_all_images_take_part_before_pixels_are_known():
    labels = Function().labels(ten_classes(), 0)
    assert len(labels.index) == 200
    assert not labels.balanced


def test_a_direction_that_sees_nothing_is_refused():
    black = Split(
        torch.zeros(10, 1, 2, 2, dtype=torch.uint8), torch.zeros(10).long(), torch.arange(10)
    )
    with pytest.raises(DataError, match="all training images fall on one side"):
        Function().relabel(black, black, 2, 0)


def test_jitter_is_not_negative():
    with pytest.raises(DataError, match="0 or more"):
        Function(jitter=-1)


def test_mixed_pixel_order_reads_another_pixel():
    """The published code's mistake: number 1 of the direction is a row's second pixel there."""
    u = torch.zeros(48)
    u[1] = 1  # channels first: row 0, column 1 of red; channels last: green of row 0, column 0
    train, _ = relabel(direction=u.tolist(), jitter=0.0, pixel_order="mixed")
    pixel = TRAIN.x[:, 1, 0, 0].double()
    assert torch.equal(train.y, (pixel > pixel.median()).long())
