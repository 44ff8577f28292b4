"""Check the rows of a second-moment matrix."""

from torch import Tensor

from metrics.functional.checks import check_finite, check_tensor
from metrics.functional.factor import squared_norms

LARGEST = 1e100  # squared length; above it the square of the matrix overflows float64
SMALLEST = 1e-100  # below it the square of the matrix underflows


def check_rows(rows: Tensor, dimension: int) -> Tensor:
    """Gradients or images as floating-point rows (R >= 1, D) whose products float64 can hold.

    Example:
        >>> import torch
        >>> check_rows(torch.full((1, 2), 1e-200, dtype=torch.float64), 2)
        Traceback (most recent call last):
        ValueError: the longest row has length 1.4e-200; lengths between 1e-50 and 1e+50 have ...
    """
    check_tensor("rows", rows)
    if rows.ndim < 2 or len(rows) == 0 or rows[0].numel() != dimension:
        raise ValueError(f"rows are {tuple(rows.shape)}; need (R >= 1, ...) of {dimension} numbers")
    rows = check_finite("rows", rows.detach().flatten(1))
    rows = rows if rows.is_floating_point() else rows.double()
    longest = float(squared_norms(rows).max())
    if longest > LARGEST or (longest < SMALLEST and bool(rows.any())):
        size = float(rows.double().abs().max())
        length = size * float((rows.double() / size).norm(dim=1).max())
        raise ValueError(
            f"the longest row has length {length:.2g}; lengths between {SMALLEST**0.5:.0e} and "
            f"{LARGEST**0.5:.0e} have squares that float64 can hold: scale the rows"
        )
    return rows
