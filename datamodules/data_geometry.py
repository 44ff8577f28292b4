"""A network's geometry seen through the data: G S G (Movahedi et al., Conjecture 2)."""

import torch
from torch import Tensor

from datamodules.normalised import normalised
from datamodules.split import Split


def data_geometry(eigenvalues: Tensor, eigenvectors: Tensor, train: Split) -> tuple[Tensor, Tensor]:
    r"""Eigenvalues and eigenvectors of G S G, with S = (1/n) \sum x x^T over the training images.

    Images are normalised per channel, as a network's first layer does; S is not centred beyond
    that. With G = V L V^T and Q R = X V, G S G = V (R L)^T (R L) V^T / n, so the singular vectors
    of R L give the eigenvectors. G S G itself is never formed: its eigenvalues span the square of
    G's range, which float64 cannot hold.

    Args:
        eigenvalues: L of G, (R,), descending.
        eigenvectors: V of G, (D, R), as columns.
        train: n images.

    Returns:
        Eigenvalues (K,), descending, and eigenvectors (D, K), K = min(n, R).

    >>> x = torch.tensor([[3.0, 0.0], [-3.0, 0.0], [0.0, 1.0], [0.0, -1.0]]).reshape(4, 1, 1, 2)
    >>> split = Split(x, torch.zeros(4), torch.arange(4))
    >>> values, vectors = data_geometry(torch.ones(2), torch.eye(2), split)
    >>> [round(float(v), 3) for v in values]  # channel variance 2.5: 4.5 / 2.5 and 0.5 / 2.5
    [1.8, 0.2]
    """
    values, vectors = eigenvalues.double(), eigenvectors.double()
    along = torch.cat([x @ vectors for x in normalised(train, train)])  # (n, R)
    triangle = torch.linalg.qr(along, mode="r").R
    _, singular, right = torch.linalg.svd(triangle * values, full_matrices=False)
    return singular.square() / len(train), vectors @ right.T
