"""Average geometry G_F: seconds to a relative error of 10 %, against the published scheme.

The published scheme makes a new network at a time, takes the gradient of its mean logit at 128
probes and adds their outer products to D x D. Both are run for some seconds; the relative squared
error falls as 1/time, so error^2 x time / 0.01 is the time to 10 %. The error of each is that of
its own split halves, over the same norm |G_F|, which our run gives.
"""

import time
from collections.abc import Callable

import torch
from torch import Tensor, nn

from benchmarks.harness import Row
from metrics.functional.average_geometry import average_geometry
from metrics.functional.geometry import Geometry
from metrics.functional.geometry_symmetry import Symmetry

PROBES = 128
TARGET = 0.1
Build = Callable[[], nn.Module]


def published(
    build: Build, shape: tuple[int, int, int], sigma: float, models: int
) -> tuple[Geometry, Geometry]:
    """Halves of G_F as the published code makes them: all is done once per model."""
    d = shape[0] * shape[1] * shape[2]
    sums = torch.zeros(d, d), torch.zeros(d, d)
    for index in range(models):
        network = build().eval()
        x = (sigma * torch.randn(PROBES, *shape)).requires_grad_()
        (gradient,) = torch.autograd.grad(network(x).mean(1).sum(), x)
        rows = gradient.reshape(PROBES, d)
        sums[index % 2].add_(rows.T @ rows / PROBES)
    half_a, half_b = (Geometry(shape, matrix=2 * part.double() / models) for part in sums)
    return half_a, half_b


def measured(
    case: str,
    build: Build,
    sigma: float,
    ours: int,
    theirs: int,
    goal: float | None = None,
    symmetry: Symmetry = "none",
    shape: tuple[int, int, int] = (1, 32, 32),
    seed: int = 0,
) -> Row:
    """Run both for the given numbers of models and compare error^2 x time."""
    start = time.process_time()
    geometry = average_geometry(
        build, shape, ours, None, sigma, symmetry=symmetry, scalar="mean", seed=seed
    )
    our_seconds = time.process_time() - start
    start = time.process_time()
    a, b = published(build, shape, sigma, theirs)
    their_seconds = time.process_time() - start
    assert geometry.error is not None
    our_error = geometry.error**2
    their_error = distance_squared(a.dense(), b.dense()) / 4 / geometry.norm**2
    note = (
        f"error {our_error**0.5:.3f} after {ours} networks, {our_seconds:.1f} s; "
        f"peer {their_error**0.5:.3f} after {theirs}, {their_seconds:.1f} s"
    )
    return Row(
        case,
        our_seconds * our_error / TARGET**2,
        "128 probes a network, one network at a time",
        their_seconds * their_error / TARGET**2,
        goal,
        note,
    )


def distance_squared(a: Tensor, b: Tensor) -> float:
    """|A - B|^2 in the Frobenius norm."""
    return float((a - b).square().sum())
