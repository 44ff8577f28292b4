"""Initial weights of an isometry: at the centre of the kernel, zeros around it."""

from typing import Literal

import torch
from torch import Tensor, nn

Init = Literal["identity", "orthogonal"]


@torch.no_grad()
def draw_centre(weight: Tensor, init: Init) -> None:
    """Set a matrix, or the centre of every kernel, to the identity or a random orthogonal matrix.

    Either way AOL rescales by 1 and the layer is an isometry at first: signals keep their size at
    any depth (Prach & Lampert 2022).

    Args:
        weight: (out, in) or (out, in, k, k), k odd; changed in place.
        init: `identity`, or `orthogonal` by torch's global generator. Fewer outputs than inputs
            are always drawn orthogonal: an identity would use the first inputs only.

    Example:
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


def require_centre(kernel_size: int) -> None:
    """Check that a kernel has a centre: otherwise no padding keeps the size of the image.

    Args:
        kernel_size: height and width of the kernel.

    Raises:
        ValueError: if it is even or below 1.
    """
    if kernel_size < 1 or kernel_size % 2 == 0:
        raise ValueError(
            f"kernel_size={kernel_size} has no centre, so no padding keeps the size of the image; "
            "use 1, 3, 5, ..."
        )
