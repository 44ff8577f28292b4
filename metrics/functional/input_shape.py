"""Check the shape of an input, (C, H, W), and the size of a matrix over it."""

from collections.abc import Sequence

from metrics.functional.checks import check_whole

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
