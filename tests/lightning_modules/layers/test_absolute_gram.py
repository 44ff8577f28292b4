import pytest
import torch

from lightning_modules.layers.absolute_gram import absolute_gram


def test_a_convolution_over_one_pixel_is_a_matrix():
    weight = torch.randn(3, 5, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(absolute_gram(weight[..., None, None]), absolute_gram(weight))


def test_of_a_convolution_by_hand():
    """K_0 = (1, 2, 0) and K_1 = (0, 1, -1) in a row: overlaps at the offsets -2..2."""
    kernel = torch.zeros(2, 1, 3, 3, dtype=torch.double)
    kernel[0, 0, 1] = torch.tensor([1.0, 2.0, 0.0])
    kernel[1, 0, 1] = torch.tensor([0.0, 1.0, -1.0])
    own_0 = 5 + 2 * 2  # |1 + 4|, and |2| on either side
    own_1 = 2 + 2 * 1
    cross = 1 + 1 + 2  # -1 * 1 | 1 - 2 | 2
    expected = torch.tensor([[own_0, cross], [cross, own_1]], dtype=torch.double)
    torch.testing.assert_close(absolute_gram(kernel), expected)


@pytest.mark.parametrize("shape", [(40, 200), (10, 20, 3, 3)])
def test_rounding_goes_up(shape):
    weight = torch.randn(shape, generator=torch.Generator().manual_seed(0))
    exact = absolute_gram(weight.double()).diagonal()
    assert (absolute_gram(weight).diagonal() > exact).all()
