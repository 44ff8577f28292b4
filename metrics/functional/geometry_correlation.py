"""Comparisons of two geometries: correlation, velocity and split-half error."""

import math

from metrics.functional.checks import check_type
from metrics.functional.geometry import Geometry


def geometry_correlation(a: Geometry, b: Geometry) -> float:
    r"""Frobenius cosine of two geometries.

        Corr(A, B) = tr(A^T B) / (|A|_F |B|_F)

    (Movahedi et al. 2025, Sec. 3.1, with its sign kept.) On factors this is
    sum (x_i . y_j)^2 over norms of the same kind: O(K^2 D), never D x D.

    Reading it: 1 for proportional matrices, near 0 for unrelated ones, negative only if one is not
    a covariance, such as Delta_F. Two covariances with a common large mean direction, such as those
    of uncentred images in [0, 1], correlate highly regardless of their other directions.

    Example:
        >>> import torch
        >>> rows = torch.eye(4).reshape(4, 1, 2, 2)
        >>> geometry_correlation(Geometry.from_rows(rows), Geometry.from_rows(rows[:1]))
        0.5
    """
    for name, geometry in (("a", a), ("b", b)):
        check_type(name, geometry, Geometry)
    return a.inner(b) / (a.check_nonzero().norm * b.check_nonzero().norm)


def geometric_velocity(a: Geometry, b: Geometry) -> float:
    """1 - Corr(G^t, G^{t-1}) (Movahedi et al. 2025, Sec. 3.2): 0 while the geometry is constant.

    Reading it: in [0, 1] for covariances. Near 0 on data along directions to which the initial
    geometry is insensitive. With few networks its floor is the noise of G: about the square of the
    split-half error.

    Example:
        >>> import torch
        >>> rows = torch.eye(4).reshape(4, 1, 2, 2)
        >>> geometric_velocity(Geometry.from_rows(rows[:1]), Geometry.from_rows(rows[1:2]))
        1.0
    """
    return 1.0 - geometry_correlation(a, b)


def split_half_error(a: Geometry, b: Geometry) -> float:
    """Relative error |A - B| / |A + B| of the mean of two independent estimates.

    Example:
        >>> import torch
        >>> rows = torch.eye(4).reshape(4, 1, 2, 2)
        >>> split_half_error(Geometry.from_rows(rows[:1]), Geometry.from_rows(rows[1:2]))
        1.0
    """
    aa, ab, bb = a.check_nonzero().norm ** 2, a.inner(b), b.check_nonzero().norm ** 2
    return math.sqrt(max(aa - 2 * ab + bb, 0.0) / (aa + 2 * ab + bb))
