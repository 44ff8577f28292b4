"""Two concentric circles on a plane in D dimensions (Movahedi et al., Figure 1)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from datamodules.directions import Eigenbasis, Shape, find_direction, orthonormal
from datamodules.errors import DataError
from datamodules.law import Drawn
from datamodules.laws.sampling import alternating, around, as_split, normal, on_circle
from datamodules.split import Split


@dataclass
class Plane:
    """x = r_y (cos t u1 + sin t u2) + omega, omega ~ N(0, noise^2) in the other D - 2 dimensions.

    Reading it: an MLP learns it on any plane; a network with pooling only where its geometry G_F is
    large along both u1 and u2. One that is sensitive to u1 alone stops at `one_direction_accuracy`:
    5/6 with the radii 6 and 3. The paper gives neither radii nor noise. With these and 4,000 to
    10,000 examples an MLP reached 0.997 on a random plane, LeNet 1.000 on its two strongest
    directions and 0.818 on the strongest and the weakest; at radii 1.5 and 0.25 (those of
    `Simplicity`), with the same noise, an MLP stays at 0.53.
    """

    # first direction of the plane: a number (eigenvector of `geometry`, 0 the strongest, -1 the
    # weakest), `random`, a file, or D numbers
    u1: int | str | Sequence[float] = "random"
    u2: int | str | Sequence[float] = "random"  # second direction; orthogonalised against u1
    geometry: str | Eigenbasis | None = None  # of a network: an .npz file or a callable
    radii: Sequence[float] = (6.0, 3.0)  # of class 0 and of class 1
    noise: float = 1.0  # standard deviation off the plane

    def __post_init__(self) -> None:
        self.radius = two_radii(self.radii)

    def draw(self, n: int, test_n: int, shape: Shape, seed: int) -> Drawn:
        """Both splits on the same plane."""
        u = orthonormal(
            u1=find_direction(self.u1, "data.law.u1", shape, seed, self.geometry),
            u2=find_direction(self.u2, "data.law.u2", shape, seed, self.geometry),
        )

        def part(count: int, name: str) -> Split:
            y = alternating(count)
            circle = on_circle(normal(count, 2, seed, name, "circle"), self.radius[y])
            omega = self.noise * normal(count, u.shape[1], seed, name, "noise")
            return as_split(around(circle, u, omega), y, shape)

        return Drawn(part(n, "train"), part(test_n, "test"), directions=u)


def one_direction_accuracy(radii: Sequence[float]) -> float:
    r"""The best accuracy from one coordinate of the plane: 1 - arcsin(r_inner / r_outer) / \pi.

    The inner circle lies within |x^T u| <= r_inner; so does the share 2 arcsin(r_inner / r_outer)
    / pi of the outer one, and these points are misclassified.

    >>> round(one_direction_accuracy((6.0, 3.0)), 4)
    0.8333
    """
    return 1 - math.asin(min(radii) / max(radii)) / math.pi


def two_radii(radii: Sequence[float]) -> Tensor:
    """The radii of two concentric circles: two, not negative, not equal.

    >>> two_radii([1.0, 1.0])
    Traceback (most recent call last):
    datamodules.errors.DataError: data.law.radii=[1.0, 1.0]: give two different radii, 0 or more.
    """
    if len(radii) != 2 or min(radii) < 0 or radii[0] == radii[1]:
        raise DataError(f"data.law.radii={list(radii)}: give two different radii, 0 or more.")
    return torch.tensor(list(radii), dtype=torch.float32)
