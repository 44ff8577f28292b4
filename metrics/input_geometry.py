"""`InputGeometry`: a second-moment matrix of gradients or images, over batches and processes."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from metrics.functional.geometry import Geometry
from metrics.functional.geometry_checks import check_input_shape, check_matrix_size
from metrics.result_metric import PooledMetric


class InputGeometry(PooledMetric[Geometry]):
    r"""Accumulate G = (1/N) sum x x^T from rows that arrive in batches.

    Gradients (`input_gradients`) give G^t, images the covariance S. The rows are stored, as a
    factor; `dense=True` stores their D x D sum instead, so that memory does not grow with N. Other
    options are passed to `torchmetrics.Metric`.

    Reading it: see `metrics.functional.geometry.Geometry`.

    Example:
        >>> metric = InputGeometry((1, 1, 2))
        >>> metric.update(torch.tensor([[[[1.0, 0.0]]], [[[1.0, 2.0]]]]))
        >>> metric.result().dense().tolist()
        [[1.0, 1.0], [1.0, 2.0]]
    """

    total: Tensor
    count: Tensor

    def __init__(self, input_shape: Sequence[int], dense: bool = False, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.input_shape = check_input_shape(input_shape)
        self.dense = dense
        if dense:
            d = math.prod(self.input_shape)
            check_matrix_size(d)
            self.add_state("total", torch.zeros(d, d, dtype=torch.float64), dist_reduce_fx="sum")
            self.add_state("count", torch.tensor(0), dist_reduce_fx="sum")
        else:
            self.add_lists("rows")

    def update(self, rows: Tensor) -> None:
        """Add gradients or images (B, C, H, W)."""
        if tuple(rows.shape[1:]) != self.input_shape:
            raise ValueError(f"rows are {tuple(rows.shape[1:])}, expected {self.input_shape}")
        flat = rows.detach().flatten(1)
        if self.dense:
            self.total += flat.double().T @ flat.double()
            self.count += len(flat)
        else:
            self.store(rows=flat)

    def from_states(self) -> Geometry:
        """The geometry of all rows."""
        if not self.dense:
            return Geometry.from_rows(self.pooled("rows"), self.input_shape)
        if self.count == 0:
            raise ValueError("the geometry of 0 rows is undefined: call update first")
        return Geometry(self.input_shape, matrix=self.total / self.count)
