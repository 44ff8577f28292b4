"""`Geometry`: a symmetric matrix over image space, kept as a factor where that is smaller."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import torch
from torch import Tensor

from metrics.functional.checks import check_column, check_tensor
from metrics.functional.factor import combine, dot, gram, slices, squared_norms
from metrics.functional.geometry_checks import check_input_shape, check_matrix_size, check_rows


@dataclass(frozen=True, eq=False)
class Geometry:
    r"""A symmetric D x D matrix over inputs of shape (C, H, W), factored or dense.

        G = sum_i w_i x_i x_i^T        (factored: `rows` x_i and `weights` w_i)
        G = `matrix`                   (dense, used when there are more rows than D)

    With gradient rows it is the average geometry G_F = E[grad_x f grad_x f^T] (Movahedi et al.
    2025, Def. 2.1), with images the uncentred covariance S, with weights of both signs the
    evolution Delta_F. Nothing here forms D x D from a factor unless `dense()` is called, so K
    gradients at D = 224 x 224 x 3 cost O(K^2 D) time and no more memory than themselves.

    Reading it: eigenvectors of large eigenvalue are the directions a network is most sensitive to;
    a participation ratio near D means no preference, near 1 a single direction. Eigenvectors within
    a (nearly) repeated eigenvalue are arbitrary: compare subspaces there, never single vectors.
    `error` is the relative error of the whole matrix by split halves, where the estimator computes
    it.

    Example:
        >>> g = Geometry.from_rows(torch.tensor([[1.0, 1.0, 0.0], [0.0, 1.0, 1.0]]), (1, 1, 3))
        >>> [round(value, 6) for value in (2 * g.eigenvalues).tolist()]
        [3.0, 1.0]
    """

    input_shape: tuple[int, int, int]  # (C, H, W)
    rows: Tensor | None = None  # (R, D), in their original dtype
    weights: Tensor | None = None  # (R,) float64
    matrix: Tensor | None = None  # (D, D) float64; float32 in `GroupedGeometry`
    error: float | None = None  # relative Frobenius error of the estimate, None if unknown

    def __post_init__(self) -> None:
        check_input_shape(self.input_shape)
        d = self.dimension
        if (self.rows is None) == (self.matrix is None):
            raise ValueError("a geometry is either factored (rows and weights) or dense (matrix)")
        if self.matrix is not None and self.matrix.shape != (d, d):
            raise ValueError(
                f"matrix is {tuple(self.matrix.shape)}, but {self.input_shape} needs ({d}, {d})"
            )
        if self.rows is not None:
            if self.rows.ndim != 2 or self.rows.shape[1] != d or len(self.rows) == 0:
                raise ValueError(
                    f"rows are {tuple(self.rows.shape)}, but {self.input_shape} needs (R >= 1, {d})"
                )
            if self.weights is None or self.weights.shape != (len(self.rows),):
                raise ValueError(f"{len(self.rows)} rows need as many weights, got {self.weights}")

    @classmethod
    def from_rows(
        cls,
        rows: Tensor,
        input_shape: Sequence[int] | None = None,
        weights: Tensor | None = None,
        error: float | None = None,
    ) -> "Geometry":
        """Geometry of gradients or images (R, C, H, W) or (R, D): factored if R <= D, else dense.

        `input_shape` may be left out if `rows` has four dimensions. The weights are 1/R by default,
        which gives the mean of x x^T.
        """
        if input_shape is None:
            if check_tensor("rows", rows).ndim != 4:
                raise ValueError(f"rows are {tuple(rows.shape)}: give input_shape=(C, H, W)")
            input_shape = rows.shape[1:]
        shape = check_input_shape(input_shape)
        rows = check_rows(rows, math.prod(shape))
        if weights is None:
            weights = torch.full((len(rows),), 1 / len(rows), dtype=torch.float64)
        weights = check_column("weights", weights, len(rows)).to(rows.device, torch.float64)
        d = rows.shape[1]
        if len(rows) <= d:
            return cls(shape, rows=rows, weights=weights, error=error)
        check_matrix_size(d)
        matrix = torch.zeros(d, d, dtype=torch.float64, device=rows.device)
        for part in slices(len(rows)):
            some = rows[part].double()
            matrix.addmm_(some.T, some * weights[part, None])
        return cls(shape, matrix=(matrix + matrix.T) / 2, error=error)

    @classmethod
    def mean_of(cls, geometries: Sequence["Geometry"]) -> "Geometry":
        """Average several geometries of one input shape, as over the runs of an ensemble."""
        shapes = {g.input_shape for g in geometries}
        if len(shapes) != 1:
            raise ValueError(
                f"cannot average geometries of shapes {sorted(shapes)}; need one shape"
            )
        if all(g.rows is not None for g in geometries):
            rows = torch.cat([g.rows for g in geometries if g.rows is not None])
            weights = torch.cat([g.weights for g in geometries if g.weights is not None])
            return cls.from_rows(rows, shapes.pop(), weights / len(geometries))
        total = geometries[0].dense().to(torch.float64, copy=True)
        for geometry in geometries[1:]:
            total += geometry.dense()  # in place: one further matrix, 2 GB at D = 16,384
        return cls(shapes.pop(), matrix=total.div_(len(geometries)))

    @property
    def dimension(self) -> int:
        """D = C * H * W."""
        return math.prod(self.input_shape)

    @property
    def device(self) -> torch.device:
        """Device of its tensors."""
        return (self._matrix if self.rows is None else self.rows).device

    def to(self, device: torch.device | str) -> "Geometry":
        """A copy on another device."""
        old = (self.rows, self.weights, self.matrix)
        rows, weights, matrix = (None if part is None else part.to(device) for part in old)
        return replace(self, rows=rows, weights=weights, matrix=matrix)

    def cpu(self) -> "Geometry":
        """A copy in main memory."""
        return self.to("cpu")

    def check_nonzero(self) -> "Geometry":
        """Return `self`; ValueError if it is 0, because then it has no direction."""
        if self.norm == 0:
            raise ValueError(
                "the geometry is 0: every gradient vanishes, as in a network whose units are all "
                "off, whose head starts at 0 or whose output is constant; check the probes and the "
                "initialisation"
            )
        return self

    @property
    def trace(self) -> float:
        """Sum of eigenvalues: mean squared gradient norm, or mean squared image norm."""
        if self.rows is None:
            return float(self._matrix.diagonal().sum())
        return float(self._weights @ squared_norms(self.rows))

    @cached_property
    def norm(self) -> float:
        """Frobenius norm."""
        squared = self.inner(self)
        if not math.isfinite(squared):
            raise ValueError(
                f"the squared norm of the geometry is {squared}: its numbers are too large for "
                "float64 or not finite; scale the network's output or the images down"
            )
        return math.sqrt(max(squared, 0.0))

    @property
    def participation_ratio(self) -> float:
        """(tr G)^2 / tr G^2: how many directions share the energy, from 1 to D."""
        return (self.trace / self.check_nonzero().norm) ** 2

    def inner(self, other: "Geometry") -> float:
        """Frobenius product tr(A B): sum_ij w_i v_j (x_i . y_j)^2 on factors."""
        if self.input_shape != other.input_shape:
            raise ValueError(
                f"geometries of {self.input_shape} and {other.input_shape} do not compare"
            )
        if self.rows is not None and other.rows is not None:
            return float(self._weights @ gram(self.rows, other.rows).square() @ other._weights)
        if self.rows is not None:
            return float(self._weights @ other.energies(self.rows))
        if other.rows is not None:
            return other.inner(self)
        return float(dot(self._matrix, other._matrix))

    def energies(self, x: Tensor) -> Tensor:
        """x_i^T G x_i of every row of `x` (N, D): (N,) float64."""
        if self.rows is None:
            return ((x.double() @ self._matrix.double()) * x.double()).sum(1)
        return gram(x, self.rows).square() @ self._weights

    def matvec(self, x: Tensor) -> Tensor:
        """G applied to every row of `x` (N, D)."""
        if self.rows is None:
            return x.to(self._matrix.dtype) @ self._matrix
        return combine(gram(x, self.rows) * self._weights, self.rows)

    def dense(self) -> Tensor:
        """The D x D matrix, float64; refused above D = 16,384."""
        if self.rows is None:
            return self._matrix
        check_matrix_size(self.dimension)
        full = self.rows.double()
        return full.T @ (full * self._weights[:, None])

    @cached_property
    def eigenvalues(self) -> Tensor:
        """Eigenvalues, descending: all D if dense, else those of the rank (the rest are 0)."""
        return self._spectrum[0]

    @cached_property
    def eigenvectors(self) -> Tensor:
        """Orthonormal eigenvectors as rows (rank, D), in the order of `eigenvalues`."""
        basis = self._spectrum[1]
        return basis if self.rows is None else combine(basis, self.rows)

    @cached_property
    def _spectrum(self) -> tuple[Tensor, Tensor]:
        """Eigenvalues, and eigenvectors (dense) or their coefficients over the rows (factored)."""
        if self.rows is None:
            values, vectors = torch.linalg.eigh(self._matrix)
            return values.flip(0), vectors.T.flip(0)
        scale = self._weights.abs().sqrt()
        squares, u = torch.linalg.eigh(gram(self.rows, self.rows) * scale * scale[:, None])
        kept = squares > 1e-12 * squares.max()  # smaller ones are rounding errors of float64
        squares, u = squares[kept], u[:, kept]
        basis = (u / squares.sqrt()).T * scale  # (rank, R): orthonormal vectors over the rows
        if (self._weights >= 0).all():
            return squares.flip(0), basis.flip(0)
        root = u * squares.sqrt()
        values, turn = torch.linalg.eigh(root.T @ (self._weights.sign()[:, None] * root))
        return values.flip(0), (turn.T @ basis).flip(0)

    def sandwich(self, inside: "Geometry") -> "Geometry":
        """G S G with S = `inside`: as many rows as the smaller factor; dense if both are dense."""
        if self.input_shape != inside.input_shape:
            raise ValueError(f"G is of {self.input_shape} and S of {inside.input_shape}")
        if self.rows is not None and (inside.rows is None or len(inside.rows) > len(self.rows)):
            middle = gram(self.rows, inside.matvec(self.rows))  # X S X^T, then W (.) W
            middle = self._weights[:, None] * (middle + middle.T) / 2 * self._weights
            values, u = torch.linalg.eigh(middle)
            return Geometry(self.input_shape, rows=combine(u.T, self.rows), weights=values)
        if inside.rows is not None:
            return Geometry(self.input_shape, rows=self.matvec(inside.rows), weights=inside.weights)
        outer = self._matrix.double()
        product = outer @ inside._matrix.double() @ outer
        return Geometry(self.input_shape, matrix=(product + product.T) / 2)

    def scalars(self) -> dict[str, float]:
        """Loggable numbers; `error` only where it is known."""
        found = {
            "trace": self.trace,
            "norm": self.norm,
            "participation_ratio": self.participation_ratio,
        }
        return found if self.error is None else {**found, "error": self.error}

    @property
    def _weights(self) -> Tensor:
        assert self.weights is not None
        return self.weights

    @property
    def _matrix(self) -> Tensor:
        assert self.matrix is not None
        return self.matrix


def covariance_of(x: Tensor) -> Geometry:
    """S = (1/N) sum x x^T of images (N, C, H, W), uncentred: the data's own geometry."""
    return Geometry.from_rows(x)
