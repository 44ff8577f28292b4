"""Populations with a known truth, from which the cases draw."""

import math

import torch
from torch import Tensor

from metrics.functional.estimate import Estimate

# Means of log d over 500 sets of 300 points, k = 10.
DIMENSION = {"cube 5": 4.3213, "Gauss 10": 8.5829}


def normal(seed: int, *shape: int) -> Tensor:
    """Standard normal numbers."""
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def held(found: Estimate, truth: float) -> bool | None:
    """Whether the interval has the truth in it; None where there is none."""
    return found.low <= truth <= found.high if found.known else None


def clustered(seed: int, sets: int, runs: int, rho: float) -> tuple[Tensor, Tensor, Tensor]:
    """Two normal quantities of correlation rho, 90 % of whose variance is between data sets."""
    parts = normal(seed, 2, sets * (1 + runs))
    parts[1] = rho * parts[0] + math.sqrt(1 - rho**2) * parts[1]
    of_set, of_run = parts[:, :sets].repeat_interleave(runs, 1), parts[:, sets:]
    x, y = math.sqrt(0.9) * of_set + math.sqrt(0.1) * of_run
    return x, y, torch.arange(sets).repeat_interleave(runs)


def points(name: str, seed: int) -> Tensor:
    """300 points of a known law."""
    if name == "cube 5":
        return torch.special.ndtr(normal(seed, 300, 5))
    return normal(seed, 300, 10)
