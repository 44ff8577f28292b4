"""Directions strong in the data and weak in a geometry, or the reverse."""

from dataclasses import dataclass

import torch
from torch import Tensor

from metrics.functional.checks import check_number, check_type
from metrics.functional.factor import combine, gram
from metrics.functional.geometry import Geometry


@dataclass(frozen=True)
class GeneralizedDirections:
    """Solutions of S v = mu (G + eps I) v."""

    values: Tensor  # (R,) mu, descending
    vectors: Tensor  # (R, D) v as rows, v^T (G + eps I) v = 1
    orthonormal: Tensor  # (R, D) the same spans, orthogonalised in order


def generalized_directions(
    geometry: Geometry, covariance: Geometry, regularisation: float = 1e-3
) -> GeneralizedDirections:
    r"""Solve the generalised eigenproblem of data covariance S and geometry G.

        S v = mu (G + eps I) v,   mu descending,   eps = regularisation x |G|_2

    (Movahedi et al. 2025, Sec. 4 and footnote 7.) With B = (G + eps I)^(-1/2) it is the ordinary
    eigenproblem of B S B, solved on its smaller Gram matrix; N images give at most N directions.

    Reading it: the first k rows of `orthonormal` are what to remove from the data to hurt least.
    G is nearly singular, so the order depends on `regularisation`: state it with the result.

    Example:
        >>> G = Geometry.from_rows(torch.eye(2), (1, 1, 2))
        >>> S = Geometry.from_rows(torch.diag(torch.tensor([1.0, 3.0])), (1, 1, 2))
        >>> generalized_directions(G, S).orthonormal[0].abs().tolist()
        [0.0, 1.0]
    """
    for name, given in (("geometry", geometry), ("covariance", covariance)):
        check_type(name, given, Geometry)
    if geometry.input_shape != covariance.input_shape:
        raise ValueError(f"G is of {geometry.input_shape} and S of {covariance.input_shape}")
    regularisation = check_number("regularisation", regularisation, above=0, why="G is singular")
    eps = regularisation * float(geometry.eigenvalues[0])
    if covariance.rows is not None:
        whitened = Geometry(
            covariance.input_shape,
            rows=_inverse_root(geometry, eps, covariance.rows),
            weights=covariance.weights,
        )
    else:
        half = _inverse_root(geometry, eps, covariance.dense())
        matrix = _inverse_root(geometry, eps, half.T)
        whitened = Geometry(covariance.input_shape, matrix=(matrix + matrix.T) / 2)
    vectors = _inverse_root(geometry, eps, whitened.eigenvectors)
    orthonormal = torch.linalg.qr(vectors.double().T)[0].T.to(vectors.dtype)
    return GeneralizedDirections(whitened.eigenvalues, vectors, orthonormal)


def _inverse_root(geometry: Geometry, eps: float, x: Tensor) -> Tensor:
    """(G + eps I)^(-1/2) applied to every row of `x`."""
    known = geometry.eigenvectors
    gain = (geometry.eigenvalues.clamp(min=0) + eps).rsqrt() - eps**-0.5
    return eps**-0.5 * x + combine(gram(x, known) * gain, known).to(x.dtype)
