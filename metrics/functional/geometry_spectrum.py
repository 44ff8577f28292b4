"""Eigenvalues of a geometry with their standard errors, from independent estimates of it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from metrics.functional.geometry import Geometry


@dataclass(frozen=True)
class GeometrySpectrum:
    """A geometry, its eigenvalues and their standard errors."""

    geometry: Geometry  # the mean of the estimates
    values: Tensor  # (R,) descending
    errors: Tensor  # (R,) standard errors
    error: float  # relative error of the whole matrix

    def scalars(self) -> dict[str, float]:
        """Loggable numbers."""
        g = self.geometry
        flat = g.trace / (g.norm * math.sqrt(g.dimension))
        return {"error": self.error, "participation": g.participation_ratio, "flat": flat}


def geometry_spectrum(estimates: Sequence[Geometry]) -> GeometrySpectrum:
    r"""Average independent estimates G_b of one geometry; eigenvalues with standard errors.

        lambda_i = v_i^T G v_i,   se(lambda_i) = std_b(v_i^T G_b v_i) / sqrt(B)

    with v_i the eigenvectors of the mean G; the matrix has the relative error
    sqrt(sum_b |G_b - G|^2 / (B (B - 1))) / |G|.

    Reading it: the errors are those of the energy along fixed directions. They do not include the
    Marchenko-Pastur spread of the sorted eigenvalues of a sample: compare with
    `marchenko_pastur_edges`.

    Args:
        estimates: B >= 2 geometries of equal weight.

    Example:
        >>> halves = [Geometry((1, 1, 2), matrix=torch.diag(torch.tensor(d)).double())
        ...           for d in ([4.0, 1.0], [2.0, 1.0])]
        >>> found = geometry_spectrum(halves)
        >>> found.values.tolist(), found.errors.tolist()
        ([3.0, 1.0], [1.0, 0.0])
    """
    count = len(estimates)
    if count < 2:
        raise ValueError(f"{count} estimates; a standard error needs at least 2")
    mean = Geometry.mean_of(estimates)
    vectors = mean.eigenvectors.double()  # (R, D) as rows
    along = torch.stack([one.energies(vectors) for one in estimates])  # (B, R)
    norms = sum(one.norm**2 for one in estimates) - count * mean.norm**2
    error = math.sqrt(max(norms, 0.0) / (count * (count - 1))) / mean.check_nonzero().norm
    return GeometrySpectrum(mean, mean.eigenvalues, along.std(0) / math.sqrt(count), error)


def marchenko_pastur_edges(dimension: int, samples: int) -> tuple[float, float]:
    r"""Range of the eigenvalues of a sample covariance whose true one is I.

        lambda_+- = (1 +- sqrt(D / N))^2

    (Marchenko and Pastur 1967.) The MLP's G_F is a multiple of I, so its measured spectrum shows
    this spread only. For N < D the smallest eigenvalue is 0.

    Reading it: draw them on every spectrum of a G_F from N independent rows, scaled by tr(G) / D. A
    spectrum inside them shows no preference that N rows can distinguish from noise.

    Example:
        >>> marchenko_pastur_edges(100, 400)
        (0.25, 2.25)
    """
    if dimension < 1 or samples < 1:
        raise ValueError(f"dimension={dimension} and samples={samples} must be 1 or more")
    ratio = math.sqrt(dimension / samples)
    return (1 - min(ratio, 1.0)) ** 2, (1 + ratio) ** 2
