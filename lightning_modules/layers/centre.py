"""Kernels with a centre, and initial weights of an isometry: nonzero only there."""

from typing import Literal

import torch
from torch import Tensor, nn

Init = Literal["identity", "orthogonal"]


@torch.no_grad()
def draw_centre(weight: Tensor, init: Init) -> None:
    """Set a matrix, or the centre of every kernel, to the identity or a random orthogonal matrix.

    Then AOL rescales by 1 and the layer starts as an isometry: signals keep their size at any depth
    (Prach & Lampert 2022). The weight, (out, in) or (out, in, k, k) with k odd, is changed in
    place. With fewer outputs than inputs it is always orthogonal: an identity would use the first
    inputs only.

    >>> kernel = torch.empty(2, 2, 3, 3)
    >>> draw_centre(kernel, "identity")
    >>> kernel[0, 0]
    tensor([[0., 0., 0.],
            [0., 1., 0.],
            [0., 0., 0.]])
    """
    matrix = torch.empty(weight.shape[:2], dtype=weight.dtype, device=weight.device)
    narrows = matrix.shape[0] < matrix.shape[1]
    (nn.init.orthogonal_ if init == "orthogonal" or narrows else nn.init.eye_)(matrix)
    if weight.ndim == 2:
        weight.copy_(matrix)
    else:
        middle = weight.shape[-1] // 2
        weight.zero_()
        weight[:, :, middle, middle] = matrix


def kernel_shape(kernel_size: int | None) -> tuple[int, ...]:
    """Height and width of a square kernel; () if there is none. ValueError if its size is even."""
    if kernel_size is None:
        return ()
    if kernel_size < 1 or kernel_size % 2 == 0:
        raise ValueError(
            f"kernel_size={kernel_size} has no centre, so no padding keeps the size of the image; "
            "use 1, 3, 5, ..."
        )
    return (kernel_size, kernel_size)
