"""Average geometry G_F: CPU seconds to a relative error of 10 %.

Ours draws networks for some seconds and compares its two halves: the squared error falls as
1/networks, so the set-up and error^2 / 0.01 times the seconds of a network are the time to 10 %.

The published scheme makes a new network at a time, takes the gradient of its mean logit at 128
probes and adds their outer products to D x D. Its relative squared error after M networks is
V (rho + (1 - rho) / 128) / M, with V the variance of one outer product and rho the share that
probes of one network have in common. Both are estimated from 4 probes of many networks, because a
few networks of 128 probes do not show the spread over networks; one or more networks of 128 probes
are timed.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from time import process_time

import torch
from torch import nn

from benchmarks.harness import Row
from lightning_modules.networks.lenet import LeNet
from lightning_modules.networks.resnet import ResNet
from metrics.functional.geometry_symmetry import Symmetry, symmetrise
from metrics.functional.grouped_geometry import PILOT_MODELS, PILOT_ROWS
from metrics.functional.input_gradients import Scalar
from metrics.functional.random_rows import RandomRows, row_correlation
from metrics.functional.second_moment import SecondMoment

PROBES = 128
TARGET = 0.1
BUDGET = 3.0  # CPU seconds of drawing networks; a third of it for the pilot and for the peer
PEER = f"{PROBES} probes a network, one new network at a time"
Build = Callable[[], nn.Module]
Shape = tuple[int, int, int]


def lenet(activation: str) -> Build:
    """Average-pooling LeNet with two logits."""
    return lambda: LeNet(1, 32, 2, activation=activation)


def resnet(activation: str) -> Build:
    """ResNet-18 for small images, without normalisation, torch's default initialisation."""
    return lambda: ResNet(
        1, 32, 2, stem="small", norm="none", activation=activation, init="default"
    )


def mlp() -> nn.Module:
    """1024-100-100-2 with ReLU, its weights drawn once, as the peer's are."""
    first, second, head = nn.Linear(1024, 100), nn.Linear(100, 100), nn.Linear(100, 2)
    return nn.Sequential(nn.Flatten(), first, nn.ReLU(), second, nn.ReLU(), head)


def ours(
    build: Build,
    shape: Shape,
    sigma: float,
    scalar: Scalar,
    names: Sequence[Symmetry],
    patch: int | None,
) -> tuple[float, float, str]:
    """CPU seconds to the target error, |G_F|^2, and what this was measured on."""
    start = process_time()
    source = RandomRows(build, shape, sigma, None, scalar, seed=0)
    pilot = [source.draw(index, PILOT_ROWS) for index in range(2)]
    while len(pilot) < PILOT_MODELS and process_time() - start < BUDGET / 3:
        pilot.append(source.draw(len(pilot), PILOT_ROWS))
    rows = source.best_rows(pilot)
    began = process_time()
    alone = "channels" in names
    kept = (1, *shape[1:]) if alone else shape
    halves = SecondMoment(kept, dense=True), SecondMoment(kept, dense=True)
    count = 0
    while count < 4 or count % 2 or process_time() - began < BUDGET:
        new = source.draw(PILOT_MODELS + count, rows)
        halves[count % 2].add(new.reshape(-1, math.prod(kept)))
        count += 1
    names = [name for name in names if name != "channels"]
    a, b = (symmetrise(half.geometry(), names, patch) for half in halves)
    each = (process_time() - began) / count
    norm = max(a.inner(b), 0.0)  # |G_F|^2 without the errors of the halves
    squared = (a.norm**2 + b.norm**2 - 2 * norm) / 4 / norm if norm else math.inf
    taken = began - start + count * squared / TARGET**2 * each
    note = f"error {squared**0.5:.3f} after {count} networks of {rows} rows in {each * count:.1f} s"
    return taken, norm * (shape[0] if alone else 1), note


def published(build: Build, shape: Shape, sigma: float) -> None:
    """One network's part of G_F as the published code makes it."""
    network = build().eval()
    x = (sigma * torch.randn(PROBES, *shape)).requires_grad_()
    (gradient,) = torch.autograd.grad(network(x).mean(1).sum(), x)
    rows = gradient.flatten(1)
    torch.zeros(rows.shape[1], rows.shape[1]).add_(rows.T @ rows / PROBES)


def theirs(build: Build, shape: Shape, sigma: float, scalar: Scalar, norm: float) -> float:
    """CPU seconds of the published scheme to the target error, |G_F|^2 = `norm`."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        start, count = process_time(), 0
        while not count or process_time() - start < BUDGET / 8:
            published(build, shape, sigma)
            count += 1
        each = (process_time() - start) / count
    source = RandomRows(build, shape, sigma, 1, scalar, seed=1)
    bodies, start = [source.draw(index, 4) for index in range(4)], process_time()
    while len(bodies) < 400 and process_time() - start < BUDGET / 3:
        bodies.append(source.draw(len(bodies), 4))
    own = torch.cat(bodies).double().square().sum(1).square().mean()
    rho = min(max(row_correlation(bodies), 0.0), 1.0)
    variance = (float(own) / norm - 1) * (rho + (1 - rho) / PROBES)
    return variance / TARGET**2 * each


def compared(
    case: str,
    build: Build,
    sigma: float,
    goal: float | None = None,
    names: Sequence[Symmetry] = (),
    shape: Shape = (1, 32, 32),
    scalar: Scalar = "mean",
    patch: int | None = None,
) -> Row:
    """One row: both schemes on a network."""
    taken, norm, note = ours(build, shape, sigma, scalar, names, patch)
    peer = theirs(build, shape, sigma, scalar, norm) if norm else math.inf
    return Row(case, taken, PEER, peer, goal, note)


def run() -> Iterable[Row]:
    """The paper's regime (GELU, sigma 1e-3), and ReLU at sigma 1, where probes differ."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    published(lenet("gelu"), (1, 32, 32), 1.0)  # warm-up: imports and caches
    try:
        yield compared("LeNet, GELU, 1e-3", lenet("gelu"), 1e-3, 75)
        yield compared("same, averaged over D4", lenet("gelu"), 1e-3, names=["d4"])
        yield compared("MLP, ReLU, 1", mlp, 1.0, 8)
        yield compared("LeNet, ReLU, 1", lenet("relu"), 1.0, 5)
        yield compared("ResNet-18, GELU, 1e-3", resnet("gelu"), 1e-3, 30)
        yield compared("ResNet-18, ReLU, 1", resnet("relu"), 1.0, 3)
        yield compared("same, averaged over transposes", resnet("relu"), 1.0, names=["transpose"])
    finally:
        torch.set_num_threads(threads)
