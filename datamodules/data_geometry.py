"""A network's geometry weighted by its data: G S G (Movahedi et al., Conjecture 2)."""

from torch import Tensor

from datamodules.normalised import normalised
from datamodules.split import Split
from metrics.functional.sandwich_spectrum import sandwich_spectrum


def data_geometry(eigenvalues: Tensor, eigenvectors: Tensor, train: Split) -> tuple[Tensor, Tensor]:
    r"""Eigenvalues and eigenvectors of G S G, with S = (1/n) \sum x x^T over the training images.

    Images are normalised per channel, as a network's first layer does; S is not centred beyond
    that.

    Args:
        eigenvalues: of G, (R,), descending.
        eigenvectors: of G, (D, R), as columns.
        train: n images.

    Returns:
        Eigenvalues (K,), descending, and eigenvectors (D, K), K = min(n, R).

    >>> import torch
    >>> x = torch.tensor([[3.0, 0.0], [-3.0, 0.0], [0.0, 1.0], [0.0, -1.0]]).reshape(4, 1, 1, 2)
    >>> split = Split(x, torch.zeros(4), torch.arange(4))
    >>> values, vectors = data_geometry(torch.ones(2), torch.eye(2), split)
    >>> [round(float(v), 3) for v in values]  # channel variance 2.5: 4.5 / 2.5 and 0.5 / 2.5
    [1.8, 0.2]
    """
    values, vectors = sandwich_spectrum(eigenvalues, eigenvectors.T, normalised(train, train))
    return values, vectors.T
