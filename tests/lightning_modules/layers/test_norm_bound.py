import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

from lightning_modules.layers.norm_bound import convolution_norm_bound, norm_bound


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 20), st.integers(1, 20), st.booleans(), st.floats(-3, 3), st.integers(0, 999))
def test_it_is_above_the_norm_and_not_far(rows, columns, is_complex, power, seed):
    dtype = torch.complex64 if is_complex else torch.float32
    generator = torch.Generator().manual_seed(seed)
    matrix = 10**power * torch.randn(rows, columns, dtype=dtype, generator=generator)
    exact = torch.linalg.svdvals(matrix.to(torch.complex128))[0].item()
    bound = norm_bound(matrix).item()
    assert exact <= bound <= exact * min(rows, columns) ** (1 / 512) * (1 + 1e-5)


@pytest.mark.parametrize("iterations", range(6))
def test_it_holds_after_any_number_of_iterations_and_falls(iterations):
    matrix = torch.randn(30, 30, dtype=torch.double, generator=torch.Generator().manual_seed(0))
    exact = torch.linalg.matrix_norm(matrix, 2)
    bound, next_bound = norm_bound(matrix, iterations), norm_bound(matrix, iterations + 1)
    assert exact < next_bound < bound


def test_equal_singular_values_are_the_worst_case():
    assert norm_bound(torch.eye(64).double()).item() == pytest.approx(64 ** (1 / 512))
    assert norm_bound(torch.ones(64, 64).double()).item() == pytest.approx(64)


def test_nothing_has_no_norm():
    assert norm_bound(torch.zeros(3, 3)) < 1e-15


def test_batches_are_bounded_one_by_one():
    matrices = torch.randn(5, 3, 4, generator=torch.Generator().manual_seed(0))
    together = norm_bound(matrices)
    torch.testing.assert_close(together, torch.stack([norm_bound(m) for m in matrices]))


def dense(kernel, size):
    """The convolution with zero padding as the matrix that it is."""
    inputs = kernel.shape[1]
    units = torch.eye(inputs * size[0] * size[1], dtype=kernel.dtype).view(-1, inputs, *size)
    return F.conv2d(units, kernel, padding=kernel.shape[-1] // 2).flatten(1).T


@pytest.mark.parametrize("k", [1, 3, 5])
@pytest.mark.parametrize("size", [(1, 1), (2, 2), (2, 5), (6, 6)])
@pytest.mark.parametrize("channels", [(1, 1), (3, 2), (4, 4)])
def test_a_padded_convolution_is_below_its_bound(k, size, channels):
    for seed in range(5):
        generator = torch.Generator().manual_seed(seed)
        kernel = torch.randn(*channels, k, k, dtype=torch.double, generator=generator)
        exact = torch.linalg.matrix_norm(dense(kernel, size), 2)
        assert exact <= convolution_norm_bound(kernel, size) * (1 + 1e-12)


@pytest.mark.parametrize("n", range(1, 8))
def test_a_second_difference_has_a_known_norm(n):
    """(1, -2, 1) in a row with zeros around is 2 + 2 cos(pi / (n + 1)); a torus of n is below it.

    A torus of n + 1 has that very frequency where n is even, and 4 where n is odd.
    """
    kernel = torch.zeros(1, 1, 3, 3, dtype=torch.double)
    kernel[0, 0, 1] = torch.tensor([1.0, -2.0, 1.0])
    exact = 2 + 2 * math.cos(math.pi / (n + 1))
    assert torch.linalg.matrix_norm(dense(kernel, (n, n)), 2).item() == pytest.approx(exact)
    expected = exact if n % 2 == 0 else (4 if n > 1 else 3)  # a torus has at least k pixels
    assert convolution_norm_bound(kernel, (n, n)).item() == pytest.approx(expected)


def test_on_a_large_image_the_bound_is_the_norm():
    generator = torch.Generator().manual_seed(0)
    kernel = torch.randn(2, 2, 3, 3, dtype=torch.double, generator=generator)
    ratios = [
        convolution_norm_bound(kernel, (n, n)) / torch.linalg.matrix_norm(dense(kernel, (n, n)), 2)
        for n in (4, 16)
    ]
    assert ratios[0] > ratios[1]
    assert ratios[1].item() == pytest.approx(1, abs=0.03)


def over_all_frequencies(kernel, size):
    """The bound with a gradient through every frequency."""
    k = kernel.shape[-1]
    wider = [0, size[1] + k // 2 - k, 0, size[0] + k // 2 - k]
    return norm_bound(torch.fft.rfft2(F.pad(kernel, wider)).permute(2, 3, 0, 1)).amax()


@pytest.mark.parametrize(("channels", "size", "k"), [(8, 8, 1), (8, 8, 3), (32, 4, 3), (16, 6, 5)])
@pytest.mark.parametrize("seed", range(3))
def test_the_largest_frequencies_have_the_whole_gradient(channels, size, k, seed):
    generator = torch.Generator().manual_seed(seed)
    kernel = torch.randn(channels, channels, k, k, generator=generator).requires_grad_()
    expected = over_all_frequencies(kernel, (size, size))
    bound = convolution_norm_bound(kernel, (size, size))
    assert bound.item() == expected.item()
    torch.testing.assert_close(
        torch.autograd.grad(bound, kernel), torch.autograd.grad(expected, kernel), rtol=0, atol=0
    )


def kept_for_backward(function, *arguments):
    """Numbers that autograd keeps between forward and backward."""
    kept = {}
    with torch.autograd.graph.saved_tensors_hooks(
        lambda tensor: kept.setdefault(tensor.data_ptr(), tensor), lambda tensor: tensor
    ):
        result = function(*arguments)
    assert result.requires_grad
    return sum(tensor.numel() for tensor in kept.values())


def test_backward_keeps_few_of_the_frequencies():
    kernel = torch.randn(16, 16, 3, 3).requires_grad_()
    all_kept = kept_for_backward(over_all_frequencies, kernel, (8, 8))  # 9 x 5 frequencies
    assert kept_for_backward(convolution_norm_bound, kernel, (8, 8)) < all_kept / 5
