import numpy as np
import torch

from datamodules.channel_statistics import channel_statistics


def test_as_a_float64_copy_would_say():
    x = torch.randint(0, 256, (40, 3, 9, 9), generator=torch.Generator().manual_seed(0)).byte()
    mean, std = channel_statistics(x)
    wide = x.double() / 255
    np.testing.assert_allclose(mean, wide.mean((0, 2, 3)), rtol=1e-13)
    np.testing.assert_allclose(std, wide.std((0, 2, 3), correction=0), rtol=1e-13)


def test_a_constant_channel_has_no_spread():
    assert channel_statistics(torch.full((2, 1, 3, 3), 255, dtype=torch.uint8)) == ((1.0,), (0.0,))


def test_floats_are_taken_as_they_are():
    mean, std = channel_statistics(torch.tensor([-1.0, 3.0]).reshape(2, 1, 1, 1))
    assert (mean, std) == ((1.0,), (2.0,))
