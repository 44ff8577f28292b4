"""The steps that laws have in common."""

import numpy as np
import torch
from torch import Tensor

from datamodules.directions import Shape
from datamodules.split import Split
from records.seeds import seed_for


def alternating(n: int) -> Tensor:
    """Labels 0, 1, 0, 1, ...: balanced for every even n.

    >>> alternating(5).tolist()
    [0, 1, 0, 1, 0]
    """
    return torch.arange(n) % 2


def normal(n: int, width: int, seed: int, *purpose: str) -> Tensor:
    """(n, width) float32 standard normal draws; the first rows are the same for every n.

    >>> torch.equal(normal(3, 2, 0, "train"), normal(9, 2, 0, "train")[:3])
    True
    """
    random = np.random.default_rng(seed_for(seed, "law", *purpose))
    return torch.from_numpy(random.standard_normal((n, width), dtype=np.float32))


def on_circle(draws: Tensor, radius: Tensor) -> Tensor:
    """(n, 2) points of radii (n,), uniform in angle, from standard normal draws (n, 2).

    >>> on_circle(torch.tensor([[3.0, 4.0]]), torch.tensor([10.0])).tolist()
    [[6.0, 8.0]]
    """
    return radius[:, None] * draws / draws.norm(dim=1, keepdim=True)


def around(coordinates: Tensor, directions: Tensor, omega: Tensor) -> Tensor:
    """Points with coordinates c (n, k) along orthonormal directions U (k, D), and noise elsewhere.

    x = c U + omega (I - U^T U), with omega (n, D) isotropic.

    >>> u, omega = torch.tensor([[0.0, 1.0]]), torch.tensor([[2.0, 3.0]])
    >>> around(torch.tensor([[5.0]]), u, omega).tolist()
    [[2.0, 5.0]]
    """
    u = directions.to(omega.dtype)
    return omega + (coordinates.to(omega.dtype) - omega @ u.T) @ u


def as_split(x: Tensor, y: Tensor, shape: Shape) -> Split:
    """Points (n, D) as a split of images in (channels, height, width) order."""
    return Split(x=x.float().reshape(len(y), *shape), y=y, source=torch.arange(len(y)))
