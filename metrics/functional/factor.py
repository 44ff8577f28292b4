"""Products of tall factors in float64, a slice of columns at a time."""

import torch
from torch import Tensor

COLUMNS = 4_096  # cast to float64 at a time: 3,200 rows of any width cost 100 MB beyond themselves


def gram(a: Tensor, b: Tensor) -> Tensor:
    """A B^T (rows of A, rows of B) in float64, while float32 factors stay float32."""
    total = torch.zeros(len(a), len(b), dtype=torch.float64, device=a.device)
    for x, y in zip(a.split(COLUMNS, dim=1), b.split(COLUMNS, dim=1), strict=True):
        total.addmm_(x.double(), y.double().T)
    return total


def combine(coefficients: Tensor, rows: Tensor) -> Tensor:
    """Coefficients (M, R) times rows (R, D) in float64, returned in the dtype of `rows`."""
    parts = [(coefficients @ part.double()).to(rows.dtype) for part in rows.split(COLUMNS, dim=1)]
    return torch.cat(parts, dim=1)


def squared_norms(rows: Tensor) -> Tensor:
    """Squared length of every row in float64."""
    total = torch.zeros(len(rows), dtype=torch.float64, device=rows.device)
    for part in rows.split(COLUMNS, dim=1):
        total += part.double().square().sum(1)
    return total
