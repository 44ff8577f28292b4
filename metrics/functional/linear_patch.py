"""Radius around a point within which a smooth network is nearly linear."""

import math

from torch import Tensor


def linear_patch_radius(hessian_norm: Tensor, error: float) -> Tensor:
    """Radius within which linearising every output errs by at most `error`.

        1/2 sigma_1 r^2 = E,  r = sqrt(2 E / sigma_1)        (Brandao et al. 2023, Proposition 2)

    sigma_1 (`hessian_norm`, any shape) is the largest singular value of the Hessian of any output
    in the patch.

    Reading it: the patch on which one Jacobian describes the network; it shrinks with the inverse
    square root of the curvature. A ReLU network has sigma_1 = 0 almost everywhere, so this radius
    is infinite and its true patch is the distance to the next activation boundary.

    Example:
        >>> import torch
        >>> linear_patch_radius(torch.tensor([4.0, 0.0]), error=0.5)
        tensor([0.5000,    inf], dtype=torch.float64)
    """
    if not (math.isfinite(error) and error > 0):
        raise ValueError(f"error={error} must be finite and above 0")
    if not bool((hessian_norm >= 0).all()):
        raise ValueError("hessian_norm must be at least 0 and not NaN: it is a singular value")
    return (2 * error / hessian_norm.double()).sqrt()
