import pytest
import torch

from lightning_modules.layers.aol import AOLLayer
from lightning_modules.layers.centre import draw_centre, kernel_shape

X = torch.randn(2, 6, 5, 5, generator=torch.Generator().manual_seed(0))


def test_aol_begins_as_the_identity():
    torch.testing.assert_close(AOLLayer(6, 6, 3)(X), X, rtol=1e-6, atol=0)
    torch.testing.assert_close(AOLLayer(6, 6)(X[:, :, 0, 0]), X[:, :, 0, 0], rtol=1e-6, atol=0)


def test_orthogonal_kernels_begin_as_a_rotation_of_the_channels():
    torch.manual_seed(0)
    kernel = torch.empty(6, 6, 3, 3)
    draw_centre(kernel, "orthogonal")
    centre = kernel[:, :, 1, 1].clone()
    torch.testing.assert_close(centre @ centre.T, torch.eye(6))
    kernel[:, :, 1, 1] = 0
    assert not kernel.any()


def test_a_narrowing_layer_looks_at_all_its_inputs():
    assert (AOLLayer(12, 5).weight != 0).any(0).all()


@pytest.mark.parametrize("size", [0, 2, -1])
def test_kernels_without_a_centre_are_refused(size):
    with pytest.raises(ValueError, match=f"kernel_size={size} has no centre"):
        kernel_shape(size)
