"""Score(x): how much of an image lies where a geometry is sensitive."""

from torch import Tensor

from metrics.functional.checks import check_points, check_type
from metrics.functional.factor import squared_norms
from metrics.functional.geometry import Geometry


def alignment_score(x: Tensor, geometry: Geometry) -> Tensor:
    r"""Score images (N, C, H, W) against a geometry of their shape: (N,) float64.

        Score(x) = xhat^T G xhat,    xhat = x / |x|

    (Movahedi et al. 2025, Sec. 5.) The result has the order of `x`: index a data set with it only
    if both were read in the same order.

    Reading it: between the smallest and the largest eigenvalue of G; the paper prunes the images of
    smallest score. Free of an image's brightness scale, not of its mean: raw images in [0, 1] score
    mostly by their mean intensity, centred ones by their pattern.

    Example:
        >>> import torch
        >>> g = Geometry.from_rows(torch.diag(torch.tensor([2.0, 1.0])), (1, 1, 2))
        >>> alignment_score(torch.tensor([[[[3.0, 0.0]]], [[[0.0, 5.0]]]]), g).tolist()
        [2.0, 0.5]
    """
    check_type("geometry", geometry, Geometry)
    flat = check_points("x", x, geometry.input_shape).detach().flatten(1)
    lengths = squared_norms(flat)
    extreme = (lengths < 1e-100) | (lengths > 1e100)
    if extreme.any():  # squares leave float64's range; the score does not depend on the scale
        flat = flat.double()
        flat[extreme] /= flat[extreme].abs().amax(1, keepdim=True).clamp(min=5e-324)
        lengths = squared_norms(flat)
    empty = int((lengths == 0).sum())
    if empty:
        raise ValueError(f"{empty} of {len(x)} images are all zero and have no score; drop them")
    return geometry.energies(flat) / lengths
