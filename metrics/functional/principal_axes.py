"""The principal axes of a set of images, from the smaller of its two Gram matrices."""

from functools import cached_property

import torch
from torch import Tensor

from metrics.functional.centred_gram import centred_gram

RELATIVE_ZERO = 1e-12  # of the largest variance; float64 rounds eigenvalues at 1e-16 of it


class PrincipalAxes:
    """Eigenvectors v_i of the covariance of x (N, D), by descending variance.

    `x` is stored, but never copied to float64 as a whole.
    """

    def __init__(self, x: Tensor) -> None:
        self.x = x

    @cached_property
    def mean(self) -> Tensor:
        """(D,) float64."""
        return self.x.mean(0, dtype=torch.float64)

    @cached_property
    def _decomposition(self) -> tuple[Tensor, Tensor]:
        """Variances, and the eigenvectors that they belong to: (N, R) if N <= D, else (D, R)."""
        values, vectors = torch.linalg.eigh(centred_gram(self.x, self.mean))
        values, vectors = values.flip(0).clamp_min(0), vectors.flip(1)
        kept = values > RELATIVE_ZERO * values[:1].clamp_min(torch.finfo(torch.float64).tiny)
        return values[kept] / len(self.x), vectors[:, kept]

    @property
    def rank(self) -> int:
        """R, how many axes have variance; at most min(N - 1, D)."""
        return len(self.variances)

    @property
    def variances(self) -> Tensor:
        """(R,) descending; their sum is the total variance of x."""
        return self._decomposition[0]

    def axes(self, index: Tensor) -> Tensor:
        """(k, D) float64 orthonormal rows: the axes with these indices."""
        variances, vectors = self._decomposition
        chosen = vectors[:, index]
        if len(self.x) > self.x.shape[1]:
            return chosen.T.contiguous()
        # v = X^T a / (sigma sqrt(N)) maps eigenvectors of the (N, N) matrix to the (D, D) one
        raw = torch.cat(
            [
                chosen.T @ (columns.double() - mean)
                for columns, mean in zip(self.x.split(8192, 1), self.mean.split(8192), strict=True)
            ],
            dim=1,
        )
        return raw / (variances[index] * len(self.x)).sqrt()[:, None]

    def project(self, x: Tensor, index: Tensor) -> Tensor:
        """sum_i <x - mean, v_i> v_i over the chosen axes, (M, D) in the dtype of `x`.

        >>> generator = torch.Generator().manual_seed(0)
        >>> x = torch.randn(50, 4, generator=generator)
        >>> axes = PrincipalAxes(x)
        >>> torch.allclose(axes.mean + axes.project(x, torch.arange(4)), x.double(), atol=1e-5)
        True
        """
        axes = self.axes(index)
        chunks = ((rows.double() - self.mean) @ axes.T @ axes for rows in x.split(256))
        return torch.cat([chunk.to(x.dtype) for chunk in chunks])
