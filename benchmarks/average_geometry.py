"""Average geometry G_F: CPU seconds to a relative error of 10 %.

The peer is the published scheme: it builds a new network at a time, takes the gradient of its mean
logit at 128 probe points and adds their outer products to a D x D matrix. Both run for some seconds
in turn, on one thread. The squared error falls as 1/time, so error^2 x time / 0.01 is the time to
10 %; the note has the last measured error and its time. The error of each is that of its own split
halves, relative to the norm |G_F| of the more exact one, ours. A case is a network, its activation
and the deviation of the points; D4 are the symmetries of a square.
"""

import statistics
import time
from collections.abc import Callable, Iterable

import torch
from torch import nn

from benchmarks.harness import Row
from lightning_modules.networks.lenet import LeNet
from lightning_modules.networks.resnet import ResNet
from metrics.functional.average_geometry import average_geometry
from metrics.functional.geometry import Geometry
from metrics.functional.geometry_symmetry import Symmetry

SHAPE = (1, 32, 32)
PROBES = 128
TARGET = 0.1
Build = Callable[[], nn.Module]


def lenet(activation: str) -> Build:
    """Average-pooling LeNet with two logits."""
    return lambda: LeNet(1, 32, 2, activation=activation)


def resnet(activation: str) -> Build:
    """ResNet-18 for small images, without normalisation, torch's default initialisation."""
    return lambda: ResNet(
        1, 32, 2, stem="small", norm="none", activation=activation, init="default"
    )


def mlp() -> nn.Module:
    """1024-100-100-2 with ReLU."""
    first, second, head = nn.Linear(1024, 100), nn.Linear(100, 100), nn.Linear(100, 2)
    return nn.Sequential(nn.Flatten(), first, nn.ReLU(), second, nn.ReLU(), head)


def published(build: Build, sigma: float, models: int) -> tuple[Geometry, Geometry]:
    """Two halves of G_F as in the published code: everything is repeated for each network."""
    d = SHAPE[0] * SHAPE[1] * SHAPE[2]
    sums = torch.zeros(d, d), torch.zeros(d, d)
    for index in range(models):
        network = build().eval()
        x = (sigma * torch.randn(PROBES, *SHAPE)).requires_grad_()
        (gradient,) = torch.autograd.grad(network(x).mean(1).sum(), x)
        rows = gradient.reshape(PROBES, d)
        sums[index % 2].add_(rows.T @ rows / PROBES)
    a, b = (Geometry(SHAPE, matrix=2 * part.double() / models) for part in sums)
    return a, b


def measured(
    case: str,
    build: Build,
    sigma: float,
    ours: int,
    theirs: int,
    goal: float | None = None,
    symmetry: Symmetry = "none",
    rounds: int = 1,
) -> Row:
    """Run both in turn, with the given numbers of networks, and compare error^2 x time."""
    our_products, their_products = [], []
    for seed in range(rounds):
        start = time.process_time()
        geometry = average_geometry(
            build, SHAPE, ours, None, sigma, symmetry=symmetry, scalar="mean", seed=seed
        )
        our_seconds = time.process_time() - start
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            start = time.process_time()
            a, b = published(build, sigma, theirs)
            their_seconds = time.process_time() - start
        our_error = (geometry.error or 0.0) ** 2
        their_error = float((a.dense() - b.dense()).square().sum()) / 4 / geometry.norm**2
        our_products.append(our_error * our_seconds)
        their_products.append(their_error * their_seconds)
    return Row(
        case,
        statistics.median(our_products) / TARGET**2,
        f"{PROBES} probes a network, one new network at a time",
        statistics.median(their_products) / TARGET**2,
        goal,
        f"last: error {our_error**0.5:.3f} in {our_seconds:.1f} s, {ours} networks; "
        f"peer {their_error**0.5:.2f} in {their_seconds:.1f} s, {theirs}",
    )


def run() -> Iterable[Row]:
    """The paper's regime (GELU, sigma 1e-3), and ReLU at sigma 1, where probes differ."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    average_geometry(lenet("gelu"), SHAPE, 20)  # warm-up: imports and caches
    try:
        yield measured("LeNet, GELU, 1e-3", lenet("gelu"), 1e-3, 400, 120, goal=75, rounds=3)
        yield measured("same, averaged over D4", lenet("gelu"), 1e-3, 400, 120, symmetry="d4")
        yield measured("MLP, ReLU, 1", mlp, 1.0, 1000, 500, goal=8, rounds=2)
        yield measured("LeNet, ReLU, 1", lenet("relu"), 1.0, 400, 200, goal=1)
        yield measured("ResNet-18, GELU, 1e-3", resnet("gelu"), 1e-3, 18, 6, goal=30)
        yield measured("ResNet-18, ReLU, 1", resnet("relu"), 1.0, 18, 4, goal=1)
    finally:
        torch.set_num_threads(threads)
