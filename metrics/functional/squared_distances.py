"""Squared distances between images: fast by float32 Gram products, exact for chosen pairs.

    ||a - b||^2 = ||a||^2 + ||b||^2 - 2 a.b      after subtracting one common centre

The product is as fast as a matrix multiplication, but its error of up to `GRAM_ERROR` times
||a||^2 + ||b||^2 is 100 % of the distance of near-duplicates. So it may only choose candidates;
`exact_distances` then computes their distances from float64 differences.
"""

from itertools import pairwise

import torch
from torch import Tensor

from metrics.functional.checks import check_points
from metrics.functional.full_float32 import full_float32

# Error of a Gram squared distance in units of ||a||^2 + ||b||^2: several times the largest one seen
# with products of 4,096 columns, summed in float64 after every fourth (8.5e-7 in one long product).
GRAM_ERROR = 2.0**-21
GRAM_ERROR_FLOAT64 = 2.0**-48
COLUMNS, FLUSH = 4096, 4
TINY = 1e-280  # squared distance below which float64 has lost digits
STRIP = 128  # rows of a symmetric product at once: 0.48-0.54 of the full product's time

Rows = slice | Tensor


class Points:
    """Images as rows of a matrix, read block by block, centred and scaled into float32's range.

    The input is never copied as a whole (uint8 images stay uint8).

    Args:
        x: (N, ...) images or features; everything after the first dimension is flattened.
        name: Its name in error messages.
        like: Points whose centre and scale these share, for distances between the two.
        beside: Further points that the scale must fit; they are then made with `like` these.
    """

    def __init__(
        self,
        x: Tensor,
        name: str = "x",
        like: "Points | None" = None,
        beside: Tensor | None = None,
    ) -> None:
        self.x = check_points(name, x).detach().flatten(1)
        low, high = (float(bound) for bound in torch.aminmax(self.x))
        if not 1e-290 < high - low < 1e300 and high != low:
            raise ValueError(
                f"{name} spans {low:g}..{high:g}; distances in float64 need a spread between "
                "1e-290 and 1e300: scale the points"
            )
        if like is not None and like.dimension != self.dimension:
            raise ValueError(f"{name} has {self.dimension} features a row, not {like.dimension}")
        if like is None:
            far = [] if beside is None else [float(bound) for bound in torch.aminmax(beside)]
            spread = max(high, *far) - min(low, *far) if far else high - low
            # squares of values outside 1e-6..1e6 may leave float32's range
            self.scale = 1.0 if 1e-6 < spread < 1e6 or spread == 0 else spread
            self.centre = self._centre()
        else:
            self.centre, self.scale = like.centre, like.scale
        self.low, self.high = low, high
        # (N,) squared norms about the centre; NaN until a block has been read
        self.norms = torch.full((len(x),), torch.nan, dtype=torch.float64, device=x.device)

    def __len__(self) -> int:
        return len(self.x)

    @property
    def dimension(self) -> int:
        """Number of values in a row."""
        return self.x.shape[1]

    def blocks(self, size: int) -> list[slice]:
        """The rows as consecutive slices of at most `size`."""
        return [slice(i, min(i + size, len(self))) for i in range(0, len(self), size)]

    def read(self, rows: Rows, columns: slice, dtype: torch.dtype) -> Tensor:
        """A centred block as a new tensor of `dtype`."""
        block = self.x[rows, columns] if isinstance(rows, slice) else self.x[:, columns][rows]
        if dtype == torch.float64:
            block = block.double()
        block = torch.sub(block, self.centre[columns])  # promotes uint8 to float32
        return (block if self.scale == 1.0 else block.div_(self.scale)).to(dtype)

    def _centre(self) -> Tensor:
        """Mean of 64 rows spread over the set; any centre is correct, a central one more precise.

        For extreme values the lower median: one row 1e20 times the others would move the mean.
        """
        rows = self.x[:: -(-len(self) // 64)].double()
        sample = rows.mean(0) if self.scale == 1.0 else rows.sort(0).values[(len(rows) - 1) // 2]
        if self.x.is_floating_point():
            return sample.to(torch.promote_types(self.x.dtype, torch.float32))
        return sample.round().float()  # whole numbers keep uint8 differences exact in float32


@full_float32()  # `GRAM_ERROR` is that of products without TF32
def squared_distances(
    a: Points, rows: Rows, b: Points, columns: Rows, dtype: torch.dtype = torch.float32
) -> Tensor:
    """Squared distances of `a[rows]` to `b[columns]` in units of `a.scale`^2, by Gram products.

    (rows, columns) of `dtype`, accurate to `GRAM_ERROR` of the norms when float32. Equal rows and
    columns of the same points cost half: only the upper triangle is multiplied.
    """
    symmetric = a is b and (rows is columns or (isinstance(rows, slice) and rows == columns))
    shape = (a.norms[rows].numel(), b.norms[columns].numel())
    chunks = _column_chunks(a.dimension)
    gram = torch.zeros(shape, dtype=dtype, device=a.x.device)
    total = gram if len(chunks) <= FLUSH else torch.zeros_like(gram, dtype=torch.float64)
    left_norms, right_norms = a.norms[rows].clone(), b.norms[columns].clone()
    # a norm costs a pass over the block, so a float32 tile reuses the norms that others computed;
    # the distances of a float64 tile need norms to its own precision
    renew = dtype == torch.float64
    unseen = [] if symmetric else [n for n in (left_norms, right_norms) if renew or n.isnan().any()]
    for norms in unseen:
        norms.zero_()
    for count, chunk in enumerate(chunks, start=1):
        left = a.read(rows, chunk, dtype)
        right = left if symmetric else b.read(columns, chunk, dtype)
        for start in range(0, len(left), STRIP if symmetric else len(left)):
            strip = slice(start, start + STRIP) if symmetric else slice(None)
            gram[strip, start:].addmm_(left[strip], right[start:].T)
        for norms, part in ((left_norms, left), (right_norms, right)):
            if any(norms is one for one in unseen):
                norms += torch.linalg.vecdot(part, part)
        if total is not gram and (count % FLUSH == 0 or count == len(chunks)):
            total += gram
            gram.zero_()
    if symmetric:
        left_norms = right_norms = total.diagonal().double().clone()
        for start in range(0, len(total), STRIP):
            below, strip = slice(start + STRIP, None), slice(start, start + STRIP)
            total[below, strip] = total[strip, below].T
    a.norms[rows], b.norms[columns] = left_norms, right_norms
    total.mul_(-2).add_(left_norms.to(total.dtype)[:, None]).add_(right_norms.to(total.dtype))
    return total.to(dtype)


def exact_distances(a: Points, i: Tensor, b: Points, j: Tensor) -> Tensor:
    """Distances (pairs,) of a[i] and b[j] from float64 differences; exactly 0 for equal rows."""
    result = torch.empty(len(i), dtype=torch.float64, device=a.x.device)
    # 128 k values at a time stay in cache and below the size for which the allocator maps new
    # memory each time
    step = max(1, 2**17 // a.dimension)
    for start in range(0, len(i), step):
        pairs = slice(start, start + step)
        difference = a.x[i[pairs]].double().sub_(b.x[j[pairs]])
        squared = torch.linalg.vecdot(difference, difference)
        beyond = (squared < TINY) | squared.isinf()  # the square of 1e-200 is 0, of 1e200 infinite
        result[pairs] = squared.sqrt()
        if beyond.any():
            some = difference[beyond]
            size = some.abs().amax(1, keepdim=True)
            some = some / size.where(size > 0, 1)
            result[pairs][beyond] = torch.linalg.vector_norm(some, dim=1) * size[:, 0]
    return result


def _column_chunks(dimension: int) -> list[slice]:
    count = -(-dimension // COLUMNS)
    edges = [dimension * c // count for c in range(count + 1)]
    return [slice(low, high) for low, high in pairwise(edges)]
