"""Eigenvectors of G S G, a network's geometry weighted by the data, to full precision."""

from collections.abc import Iterable

import torch
from torch import Tensor

from metrics.functional.factor import combine, gram


def sandwich_spectrum(
    eigenvalues: Tensor, eigenvectors: Tensor, images: Iterable[Tensor]
) -> tuple[Tensor, Tensor]:
    r"""Eigenvalues (K,), descending, and eigenvectors (K, D) of G S G; K = min(n, R), float64.

        G = V^T L V,  S = X^T X / n,  X V^T = Q R   =>   G S G = V^T (R L)^T (R L) V / n

    (Movahedi et al. 2025, Conjecture 2), so the singular vectors of R L give the eigenvectors.
    G S G itself is never formed: its eigenvalues span the square of G's range, which float64 cannot
    hold. `Geometry.sandwich` forms it and is faster: use that if only strong directions matter.

    Reading it: the eigenvectors of large eigenvalue are directions in which the data vary and the
    network is sensitive.

    Args:
        eigenvalues: L of G, (R,), descending.
        eigenvectors: V of G, (R, D), orthonormal rows.
        images: X; any chunks (m, D) or (m, C, H, W) of the n images.

    Example:
        >>> values, _ = sandwich_spectrum(torch.tensor([2.0, 0.5]), torch.eye(2), [torch.eye(2)])
        >>> [round(value, 6) for value in values.tolist()]  # S = I / 2
        [2.0, 0.125]
    """
    vectors = eigenvectors.double()
    along = torch.cat([gram(x.flatten(1), vectors) for x in images])  # (n, R)
    triangle = torch.linalg.qr(along, mode="r").R
    _, singular, right = torch.linalg.svd(triangle * eigenvalues, full_matrices=False)
    return singular.square() / len(along), combine(right, vectors)
