"""Singular values of many short, wide matrices."""

import torch
from torch import Tensor

BLOCK = 16_384  # columns turned to float64 at a time: 10 rows of 64 examples take 84 MB
SMALLEST = 1e-6  # of the largest: below it the square of a value is lost in float64 rounding


def singular_values(J: Tensor) -> Tensor:
    """All singular values of each matrix, descending, in float64.

        sigma_i = sqrt(lambda_i(J J^T))

    for J (matrices, rows, columns): (matrices, min(rows, columns)).

    The rows x rows Gram matrix in float64 is exact to 3e-7 of the largest value for float32 input;
    matrices with a value below 1e-6 of their largest use a full decomposition instead. Values below
    rows * machine epsilon (of the dtype of J) of the largest are rounding errors. They become
    exactly 0, because log 1e-18 for a dead direction would dominate any mean of logarithms.

    Example:
        >>> singular_values(torch.tensor([[[3.0, 0.0, 0.0], [0.0, 0.0, -4.0]]]))
        tensor([[4., 3.]], dtype=torch.float64)
    """
    rows, scale = J.shape[1], None
    if J.dtype == torch.float64 and J.numel():  # squares of float32 stay within float64
        scale = J.abs().amax((1, 2))
        extreme = scale.isfinite() & (scale > 0) & ((scale < 1e-100) | (scale > 1e100))
        scale = scale.where(extreme, 1)
        J = J / scale[:, None, None]
    gram = torch.zeros(len(J), rows, rows, dtype=torch.float64, device=J.device)
    for block in torch.split(J, BLOCK, dim=2):
        wide = block.double()
        gram.baddbmm_(wide, wide.mT)
    broken = int((~gram.isfinite()).flatten(1).any(1).sum())
    if broken:
        raise ValueError(
            f"{broken} of {len(J)} Jacobians are not finite: has the network diverged?"
        )
    if J.shape[2] <= rows:
        values = torch.linalg.svdvals(J.double())
    else:
        values = torch.linalg.eigvalsh(gram).flip(1).clamp_min_(0).sqrt_()
        small = values[:, -1] < SMALLEST * values[:, 0]
        if small.any():
            values[small] = torch.linalg.svdvals(J[small].double())
    noise = rows * torch.finfo(J.dtype).eps * values[:, :1]
    values = torch.where(values > noise, values, 0)
    return values if scale is None else values * scale[:, None]
