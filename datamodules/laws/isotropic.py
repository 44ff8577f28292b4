"""Nearly isotropic data with one discriminant direction (Movahedi et al., appendix A.7)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from datamodules.boundary import median_bias, response, side
from datamodules.directions import Eigenbasis, Shape, find_direction
from datamodules.law import Drawn
from datamodules.laws.sampling import around, as_split, normal
from datamodules.split import Split

EPSILON = {"linear": 0.9, "quadratic": 2.0, "sinusoidal": 2.1}  # Figure 10; sigma = 1


@dataclass
class Isotropic:
    """x = epsilon alpha u + omega, alpha ~ N(0, 1), omega ~ N(0, sigma^2 (I - u u^T)); eq. 8.

    y = [g(alpha) + b > 0] with g(a) = a, a^2 or sin(pi a) and b = -median over the training set.
    As g(c v) has the same median cut as g(v), linear and quadratic labels are those of x^T u.

    Reading it: with epsilon near sigma the covariance is the identity, so directions differ in the
    network's geometry alone. A larger epsilon / sigma is an easier problem.
    """

    kind: Literal["linear", "quadratic", "sinusoidal"] = "linear"
    # u: a number (eigenvector of `geometry`), `random`, a file, or D numbers
    direction: int | str | Sequence[float] = "random"
    geometry: str | Eigenbasis | None = None  # of a network: an .npz file or a callable
    # standard deviation along u, or one for each kind; None: the paper's 0.9, 2.0 and 2.1 by kind
    # (it has 5.0 for sinusoidal on ResNet-18 and ViT)
    epsilon: float | dict[str, float] | None = None
    sigma: float = 1.0  # standard deviation elsewhere

    def draw(self, n: int, test_n: int, shape: Shape, seed: int) -> Drawn:
        """Both splits, cut at the training set's median."""
        name = "data.law.direction"
        u = find_direction(self.direction, name, shape, seed, self.geometry)[None]
        epsilon = EPSILON if self.epsilon is None else self.epsilon
        along = epsilon[self.kind] if isinstance(epsilon, Mapping) else epsilon
        alpha = {
            "train": normal(n, 1, seed, "train", "alpha"),
            "test": normal(test_n, 1, seed, "test", "alpha"),
        }
        bias = median_bias(response(self.kind, alpha["train"]))

        def part(name: str) -> Split:
            a = alpha[name]
            omega = self.sigma * normal(len(a), u.shape[1], seed, name, "noise")
            y = side(response(self.kind, a), bias)[:, 0]
            return as_split(around(along * a, u, omega), y, shape)

        return Drawn(part("train"), part("test"), directions=u)
