"""A linear and a circular feature, each sufficient (Movahedi et al., section 4.3)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from datamodules.directions import Eigenbasis, Shape, find_direction, orthonormal
from datamodules.law import Drawn
from datamodules.laws.plane import two_radii
from datamodules.laws.sampling import alternating, around, as_split, normal, on_circle
from datamodules.split import Split


@dataclass
class Simplicity:
    """x = epsilon y u1 + r_y (cos t u2 + sin t u3) + omega, y = -1 or 1, omega orthogonal to all.

    Reading it: either feature alone decides the class. The test set comes in two `variants`:
    `linear` without the circle, `nonlinear` without the line; accuracy on each shows which one the
    network uses. Simplicity bias selects the line, unless u1 is weak in the network's geometry.
    """

    # direction of the line: a number (eigenvector of `geometry`), `random`, a file, or D numbers
    u1: int | str | Sequence[float] = "random"
    u2: int | str | Sequence[float] = "random"  # first direction of the circle
    u3: int | str | Sequence[float] = "random"  # second direction of the circle
    geometry: str | Eigenbasis | None = None  # of a network: an .npz file or a callable
    epsilon: float = 0.5  # half the distance between the classes along u1
    radii: Sequence[float] = (1.5, 0.25)  # of class 0 and of class 1
    noise: float = 1.0  # standard deviation in the other D - 3 dimensions

    def __post_init__(self) -> None:
        self.radius = two_radii(self.radii)

    def draw(self, n: int, test_n: int, shape: Shape, seed: int) -> Drawn:
        """Both splits and the two variants of the test set."""
        # the circle's plane first: it does not change while u1 varies over the eigenvectors
        u2, u3, u1 = orthonormal(
            **{
                name: find_direction(direction, f"data.law.{name}", shape, seed, self.geometry)
                for name, direction in (("u2", self.u2), ("u3", self.u3), ("u1", self.u1))
            }
        )
        u = torch.stack([u1, u2, u3])

        def part(count: int, name: str) -> Split:
            y = alternating(count)
            line = self.epsilon * (2 * y[:, None] - 1)
            circle = on_circle(normal(count, 2, seed, name, "circle"), self.radius[y])
            omega = self.noise * normal(count, u.shape[1], seed, name, "noise")
            return as_split(around(torch.cat([line, circle], 1), u, omega), y, shape)

        test = part(test_n, "test")
        variants = {"linear": without(test, u[1:]), "nonlinear": without(test, u[:1])}
        return Drawn(part(n, "train"), test, variants, directions=u)


def without(split: Split, directions: Tensor) -> Split:
    """The split with its part along orthonormal directions (k, D) projected out."""
    x = split.x.flatten(1)
    u = directions.to(x.dtype)
    return replace(split, x=(x - (x @ u.T) @ u).reshape(split.x.shape))
