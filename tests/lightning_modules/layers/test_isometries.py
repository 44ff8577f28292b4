"""Layers without weights: what they keep, and what they refuse."""

import pytest
import torch
from torch import nn

from lightning_modules.layers.channels import FirstChannels, ZeroChannels
from lightning_modules.layers.max_min import MaxMin

ISOMETRIC = [ZeroChannels(9), nn.PixelUnshuffle(2), nn.Flatten()]
CONTRACTING = [*ISOMETRIC, MaxMin(), FirstChannels(3), nn.MaxPool2d(2), nn.AdaptiveMaxPool2d(1)]
X, Y = torch.randn(2, 100, 6, 4, 4, dtype=torch.double, generator=torch.Generator().manual_seed(0))


def lengths(x):
    return x.flatten(1).norm(dim=1)


@pytest.mark.parametrize("layer", CONTRACTING, ids=repr)
def test_distances_do_not_grow(layer):
    assert (lengths(layer(X) - layer(Y)) <= lengths(X - Y) * (1 + 1e-12)).all()


@pytest.mark.parametrize("layer", ISOMETRIC, ids=repr)
def test_distances_are_kept(layer):
    torch.testing.assert_close(lengths(layer(X) - layer(Y)), lengths(X - Y))


def test_max_min_sorts_pairs_keeps_lengths_and_is_done_after_once():
    sorted_ = MaxMin()(X)
    assert (sorted_[:, 0::2] >= sorted_[:, 1::2]).all()
    torch.testing.assert_close(lengths(sorted_), lengths(X))
    assert torch.equal(MaxMin()(sorted_), sorted_)
    torch.testing.assert_close(sorted_[:, 0::2] + sorted_[:, 1::2], X[:, 0::2] + X[:, 1::2])


def test_zeros_and_first_channels_undo_each_other():
    assert torch.equal(FirstChannels(6)(ZeroChannels(9)(X)), X)
    assert torch.equal(ZeroChannels(5)(X.flatten(1)[:, :5]), X.flatten(1)[:, :5])


@pytest.mark.parametrize(
    ("layer", "message"),
    [
        (lambda: MaxMin()(torch.zeros(1, 3)), "3 channels cannot be paired"),
        (lambda: ZeroChannels(2)(torch.zeros(1, 3)), "3 channels do not fit into 2"),
        (lambda: FirstChannels(4)(torch.zeros(1, 3)), "3 channels, 4 cannot be kept"),
    ],
)
def test_what_does_not_fit_is_refused(layer, message):
    with pytest.raises(ValueError, match=message):
        layer()
