"""Sum x x^T over many rows without updating D x D for each of them."""

from collections.abc import Sequence

import torch
from torch import Tensor

from metrics.functional.checks import check_finite
from metrics.functional.geometry import Geometry
from metrics.functional.geometry_checks import check_matrix_size

BUFFER = 2**22  # numbers collected before a product; at D = 3,072 one per model is 34x slower
BLOCK = 256  # columns per product: only the upper triangle of blocks is computed


class SecondMoment:
    """Mean of x x^T over rows that arrive in small batches.

    Args:
        input_shape: (C, H, W) of a row.
        dense: Keep a D x D sum; otherwise keep the rows.
        exact: Multiply in float64; float32 products leave 1e-8 of the largest eigenvalue in the
            smallest ones.
        dtype: Of the sum.

    Example:
        >>> moment = SecondMoment((1, 1, 2), dense=True)
        >>> moment.add(torch.tensor([[1.0, 0.0], [1.0, 2.0]]))
        >>> moment.geometry().dense().tolist()
        [[1.0, 1.0], [1.0, 2.0]]
    """

    def __init__(
        self,
        input_shape: tuple[int, int, int],
        dense: bool,
        exact: bool = False,
        dtype: torch.dtype = torch.float64,
    ) -> None:
        self._shape = input_shape
        self._dense, self._exact, self._dtype = dense, exact, dtype
        self._buffer: list[Tensor] = []
        self._sum: Tensor | None = None  # (D, D), upper triangle of blocks
        self.count = 0

    def add(self, rows: Tensor) -> None:
        """Add rows (K, D)."""
        self._buffer.append(check_finite("rows", rows))
        self.count += len(rows)
        if self._dense and sum(part.numel() for part in self._buffer) >= BUFFER:
            self._flush()

    def geometry(self) -> Geometry:
        """The geometry of the rows so far."""
        if self.count == 0:
            raise ValueError("no rows were added; a geometry needs at least one")
        if not self._dense:
            return Geometry.from_rows(torch.cat(self._buffer), self._shape)
        return _mirrored(self._upper().div(self.count), self._shape)

    @staticmethod
    def mean_of(moments: Sequence["SecondMoment"]) -> Geometry:
        """The mean of their geometries, of which it makes only the upper triangles.

        >>> moments = [SecondMoment((1, 1, 2), dense=True) for _ in range(2)]
        >>> moments[0].add(torch.tensor([[1.0, 1.0], [1.0, 1.0]]))
        >>> moments[1].add(torch.tensor([[2.0, 0.0]]))
        >>> SecondMoment.mean_of(moments).dense().tolist()
        [[2.5, 0.5], [0.5, 0.5]]
        """
        if not all(one._dense and one.count for one in moments):
            return Geometry.mean_of([one.geometry() for one in moments])
        total = torch.zeros_like(moments[0]._upper())
        for one in moments:
            total.add_(one._upper(), alpha=1 / (one.count * len(moments)))
        return _mirrored(total, moments[0]._shape)

    def _upper(self) -> Tensor:
        """The sum of all rows: its upper triangle."""
        self._flush()
        assert self._sum is not None
        return self._sum

    def _flush(self) -> None:
        if not self._buffer:
            return
        rows = torch.cat(self._buffer)
        rows = rows.double() if self._exact else rows
        self._buffer.clear()
        d = rows.shape[1]
        if self._sum is None:
            check_matrix_size(d)
            self._sum = torch.zeros(d, d, dtype=self._dtype, device=rows.device)
        for start in range(0, d, BLOCK):
            block = slice(start, start + BLOCK)
            self._sum[block, start:] += rows[:, block].T @ rows[:, start:]


def _mirrored(matrix: Tensor, shape: tuple[int, int, int]) -> Geometry:
    matrix = matrix.triu_()
    matrix += matrix.T.contiguous().tril_(-1)
    return Geometry(shape, matrix=matrix)
