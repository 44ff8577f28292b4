"""G_F of a network's architecture, estimated once and cached by whoever asks for it."""

from collections.abc import Callable
from copy import deepcopy
from math import prod
from pathlib import Path
from typing import Any

import torch
from torch import nn

from metrics.functional.average_geometry import average_geometry
from metrics.functional.geometry import Geometry
from metrics.functional.geometry_file import load_geometry, save_geometry
from metrics.functional.input_gradients import Scalar
from metrics.functional.tensor_digest import tensor_digest

VERSION = 5  # raise it when the estimator changes its numbers: older files are then not found
SYMMETRIC = 4096  # dimensions up to which symmetries are averaged over: 0.1 GB as a matrix

# Gives the result of an identity: computed, or loaded from where it was saved before.
Cache = Callable[
    [
        dict[str, Any],
        Callable[[], Geometry],
        Callable[[Path], tuple[str, Geometry]],
        Callable[[Path, str, Geometry], None],
    ],
    Geometry,
]


def initial_geometry(
    network: nn.Module,
    input_shape: tuple[int, int, int],
    models: int,
    most_rows: int,
    sigma: float,
    scalar: Scalar,
    cache: Cache | None = None,
    error: float | None = None,
    symmetric: bool = True,
    seed: int = 0,
) -> Geometry:
    """G_F, the mean geometry over initialisations of the network that is given.

    It does not depend on the run's seed, its data or its weights, so that all runs of one
    architecture share one estimate.

    Args:
        network: of any weights; a copy is drawn anew by its `reset_parameters`.
        input_shape: (C, H, W).
        models: random networks, at most.
        most_rows: gradients kept at most, where a D x D matrix is too large to sum them up.
        sigma: standard deviation of the points.
        scalar: the scalar whose gradient is taken.
        cache: is given the identity, the computation and how a geometry is loaded and saved, as
            `records.cached_archive` takes them; None computes.
        error: stop once the estimate is as exact as that; None draws all networks.
        symmetric: average over the network's own `symmetries`, where a D x D matrix is small.
        seed: of the draws, so that independent estimates can be had.

    Returns:
        The geometry, with its split-half `error`, in main memory.

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
    options["exact"] = True  # data are made along its weakest directions too
    if error is not None:
        options["target_error"] = error
    symmetries: Any = getattr(network, "symmetries", ())
    if symmetric and prod(input_shape) <= SYMMETRIC and symmetries:
        options |= {"symmetry": list(symmetries), "patch": network.patch}
    if most < 64:  # what the estimator takes at most by itself
        options["probes"] = most
    identity = law_identity(network, input_shape, options)

    def compute() -> Geometry:
        return average_geometry(build, input_shape, **options).cpu()

    return compute() if cache is None else cache(identity, compute, load_geometry, save_geometry)


def law_identity(
    network: nn.Module, input_shape: tuple[int, int, int], options: dict[str, Any]
) -> dict[str, Any]:
    """Everything that an estimate of G_F depends on, as a cache takes it."""
    with torch.random.fork_rng(devices=[]):  # on the CPU, so that all devices share an estimate
        torch.default_generator.manual_seed(0)
        first = redrawn(deepcopy(network).cpu())()
    return {
        "version": VERSION,
        "input_shape": input_shape,
        "options": options,
        "network": str(first),
        # the first draw tells one law of initialisation from another
        "draw": tensor_digest(*(t.flatten() for t in (*first.parameters(), *first.buffers()))),
    }


def redrawn(network: nn.Module) -> Callable[[], nn.Module]:
    """Makes copies of a network with fresh weights.

    >>> network = nn.Linear(2, 1)
    >>> torch.equal(redrawn(network)().weight, network.weight)
    False
    """

    def build() -> nn.Module:
        copy = deepcopy(network).float().requires_grad_(False).eval()
        # in channels_last the same draws would go to other places, and take three times as long
        copy.to(memory_format=torch.contiguous_format)  # type: ignore[call-overload]
        copy.reset_parameters()  # type: ignore[operator]  # every network of ours has it
        return copy

    return build
