"""G_F of a network's architecture, read from a cache if the caller passes one."""

from collections.abc import Callable
from copy import deepcopy
from math import prod
from pathlib import Path
from typing import Any, TypeVar

import torch
from torch import nn

from metrics.functional.average_geometry import average_geometry
from metrics.functional.geometry import Geometry
from metrics.functional.geometry_file import load_geometry, save_geometry
from metrics.functional.input_gradients import Scalar
from metrics.functional.tensor_digest import tensor_digest

VERSION = 5  # raise it when the estimator changes its numbers: older files are then not found
SYMMETRIC = 4096  # dimensions up to which symmetries are averaged over: 0.1 GB as a matrix

R = TypeVar("R")
# (identity, compute, load, save) -> result, as `records.cached.cached_archive` without its folder
Cache = Callable[
    [
        dict[str, Any],
        Callable[[], R],
        Callable[[Path], tuple[str, R]],
        Callable[[Path, str, R], None],
    ],
    R,
]


def initial_geometry(
    network: nn.Module,
    input_shape: tuple[int, int, int],
    models: int,
    most_rows: int,
    sigma: float,
    scalar: Scalar,
    cache: Cache[Geometry] | None = None,
    error: float | None = None,
    symmetric: bool = True,
    seed: int = 0,
) -> Geometry:
    """G_F, the mean geometry over initialisations of `network`, in main memory.

    It does not depend on the weights of `network`, the run's seed or its data, so all runs of one
    architecture share one estimate.

    Args:
        network: of any weights; copies are redrawn by its `reset_parameters`.
        input_shape: (C, H, W).
        models: random networks, at most.
        most_rows: limit on the gradients in memory, where a D x D matrix is too large.
        sigma: standard deviation of the probe points.
        scalar: the function of the logits whose gradient is taken.
        cache: where results are stored; None computes every time.
        error: target of the split-half error; None draws all networks.
        symmetric: average over the network's own `symmetries`, if D is at most 4096.
        seed: of the draws; another seed gives an independent estimate.

    Example:
        >>> class Flat(nn.Linear):
        ...     def forward(self, x):
        ...         return super().forward(x.flatten(1))
        >>> network = Flat(4, 1)  # weights U(-1/2, 1/2), of mean square 1/12
        >>> g = initial_geometry(network, (1, 2, 2), 50, 50, 1e-3, "logit")
        >>> round(12 * g.trace / 4)
        1
    """
    build = redrawn(network)
    models = min(models, most_rows)
    most = max(1, most_rows // models)
    options: dict[str, Any] = {"models": models, "sigma": sigma, "scalar": scalar, "seed": seed}
    options["exact"] = True  # data are also made along its weakest directions
    if error is not None:
        options["target_error"] = error
    symmetries: Any = getattr(network, "symmetries", ())
    if symmetric and prod(input_shape) <= SYMMETRIC and symmetries:
        options |= {"symmetry": list(symmetries), "patch": network.patch}
    if most < 64:  # the most that the estimator chooses by itself
        options["probes"] = most
    identity = law_identity(network, input_shape, options)

    def compute() -> Geometry:
        return average_geometry(build, input_shape, **options).cpu()

    return compute() if cache is None else cache(identity, compute, load_geometry, save_geometry)


def law_identity(
    network: nn.Module, input_shape: tuple[int, int, int], options: dict[str, Any]
) -> dict[str, Any]:
    """Everything that an estimate of G_F depends on, as the key of a cache."""
    with torch.random.fork_rng(devices=[]):  # on the CPU, so that all devices share an estimate
        torch.default_generator.manual_seed(0)
        first = redrawn(deepcopy(network).cpu())()
    return {
        "version": VERSION,
        "input_shape": input_shape,
        "options": options,
        "network": str(first),
        # a draw of the weights identifies the law of initialisation
        "draw": tensor_digest(*(t.flatten() for t in (*first.parameters(), *first.buffers()))),
    }


def redrawn(network: nn.Module) -> Callable[[], nn.Module]:
    """A function that returns copies of a network with newly drawn weights.

    >>> network = nn.Linear(2, 1)
    >>> torch.equal(redrawn(network)().weight, network.weight)
    False
    """

    def build() -> nn.Module:
        copy = deepcopy(network).float().requires_grad_(False).eval()
        # channels_last would assign the draws in another order, and take three times as long
        copy.to(memory_format=torch.contiguous_format)  # type: ignore[call-overload]
        copy.reset_parameters()  # type: ignore[operator]  # every network of ours has it
        return copy

    return build
