"""Frobenius products of mean geometries, without the bias of measuring at few points."""

import math

import torch
from torch import Tensor

from metrics.functional.checks import check_whole
from metrics.functional.factor import gram


def pair_product(a: Tensor, b: Tensor, points: int) -> float:
    r"""<E_x[g g^T], E_x[h h^T]> from the gradients of networks at the same few points.

        mean over rows i, j of different points of (g_i . h_j)^2

    The product of the two averages over P points also includes the pairs of a point with itself, a
    share of 1/P whose terms are the largest. Without them the mean has no bias for any P.

    `a` and `b` are (networks x points, D), all points of the first network first. With one point
    there are no other pairs, and all are used.

    Example:
        >>> rows = torch.tensor([[1.0, 0.0], [2.0, 0.0]])
        >>> pair_product(rows, rows, points=2), pair_product(rows, rows, points=1)
        (4.0, 6.25)
    """
    check_whole("points", points, least=1)
    if len(a) != len(b) or len(a) % points:
        raise ValueError(f"{len(a)} and {len(b)} rows are not those of {points} points each")
    squares = gram(a, b).square()
    if points == 1:
        return float(squares.mean())
    members = len(a) // points
    blocks = squares.reshape(members, points, members, points)
    own = torch.einsum("ipjp->", blocks)
    return float((squares.sum() - own) / (members**2 * points * (points - 1)))


def pair_norm(rows: Tensor, points: int) -> float:
    """|E_x[g g^T]|_F by pairs of different points.

    Raises:
        ValueError: If all gradients vanish, or those of different points share no direction.
    """
    squared = pair_product(rows, rows, points)
    if not squared > 0:
        raise ValueError(
            f"the mean product of gradients at different points is {squared:.3g}: they vanish, as "
            "in a network whose units are all off or whose head starts at 0, or have nothing in "
            "common; check the initialisation"
        )
    return math.sqrt(squared)


def pair_velocity(now: Tensor, before: Tensor, points: int) -> float:
    """1 - Corr(G^t, G^{t-1}) by pairs of different points.

    Reading it: as `geometric_velocity`, of the mean over all x. From few points it may be a little
    below 0 where the geometry hardly changes.

    Example:
        >>> rows = torch.eye(4)[[0, 0]]
        >>> pair_velocity(rows, rows, 2), pair_velocity(rows, torch.eye(4)[[1, 1]], 2)
        (0.0, 1.0)
    """
    product = pair_product(now, before, points)
    return 1.0 - product / (pair_norm(now, points) * pair_norm(before, points))
