"""Check the input shape (C, H, W), the rows and the size of a geometry."""

from collections.abc import Sequence

from torch import Tensor

from metrics.functional.checks import check_finite, check_tensor, check_whole
from metrics.functional.factor import squared_norms

LARGEST = 1e100  # squared length; above it the square of the matrix overflows float64
SMALLEST = 1e-100  # below it the square of the matrix underflows
MATRIX_LIMIT = 16_384  # a float64 matrix of this size takes 2 GB, of 224 x 224 x 3 181 GB


def check_input_shape(shape: Sequence[int]) -> tuple[int, int, int]:
    """Return `shape` as (C, H, W); ValueError otherwise, also for H, W, C order."""
    if not isinstance(shape, Sequence) or len(shape) != 3:
        raise ValueError(f"input_shape {shape} must be (C, H, W); for vectors use (1, 1, D)")
    c, h, w = (check_whole("input_shape", size, least=1) for size in shape)
    if c > 4 and w in (1, 3, 4):
        raise ValueError(
            f"input_shape {(c, h, w)} looks like (H, W, C); use (C, H, W), or (1, 1, D) for vectors"
        )
    return c, h, w


def check_matrix_size(d: int) -> None:
    """Refuse a dense matrix that would not fit in memory."""
    if d > MATRIX_LIMIT:
        raise ValueError(
            f"a {d} x {d} matrix takes {8e-9 * d * d:.0f} GB and D > {MATRIX_LIMIT} is refused; "
            f"keep at most {d} rows so that the geometry stays factored, or use smaller images"
        )


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
