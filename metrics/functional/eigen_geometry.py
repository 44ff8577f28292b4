"""A geometry from known eigenvectors, without another decomposition."""

from torch import Tensor

from metrics.functional.geometry import Geometry


def eigen_geometry(
    eigenvalues: Tensor, eigenvectors: Tensor, input_shape: tuple[int, int, int]
) -> Geometry:
    """G = sum_i lambda_i v_i v_i^T, factored, with its spectrum already computed.

    Eigenvalues (R,) must descend and eigenvectors (R, D) be orthonormal; this is not checked.

    Example:
        >>> import torch
        >>> g = eigen_geometry(torch.tensor([2.0, 1.0]), torch.eye(2), (1, 1, 2))
        >>> g.dense().tolist()
        [[2.0, 0.0], [0.0, 1.0]]
    """
    geometry = Geometry(input_shape, rows=eigenvectors, weights=eigenvalues.double())
    # cached_property reads these; an eigendecomposition at D = 3,072 takes half a minute
    vars(geometry).update(eigenvalues=eigenvalues.double(), eigenvectors=eigenvectors)
    return geometry
