"""G_F of a network's architecture, estimated once and kept on disk."""

import hashlib
import json
import logging
from collections.abc import Callable
from copy import deepcopy
from math import prod
from pathlib import Path
from typing import Any

import torch
from torch import nn

from callbacks.remember import content
from metrics.functional.average_geometry import average_geometry
from metrics.functional.geometry import Geometry
from metrics.functional.input_gradients import Scalar
from records.atomic import replacing
from records.lock import Lock

log = logging.getLogger(__name__)

VERSION = 3  # raise it when the estimator changes its numbers: older files are then not found
PARTS = ("rows", "weights", "matrix")
SYMMETRIC = 4096  # dimensions up to which symmetries are averaged over: 0.1 GB as a matrix


def initial_geometry(
    network: nn.Module,
    input_shape: tuple[int, int, int],
    models: int,
    most_rows: int,
    sigma: float,
    scalar: Scalar,
    folder: Path | None,
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
        folder: for estimates; None keeps none.
        error: stop once the estimate is as exact as that; None draws all networks.
        symmetric: average over the network's own `symmetries`, where a D x D matrix is small.
        seed: of the draws, so that independent estimates can be had.

    Returns:
        The geometry, with its split-half `error`, in main memory.
    """
    build = redrawn(network)
    models = min(models, most_rows)
    most = max(1, most_rows // models)
    options: dict[str, Any] = {"models": models, "sigma": sigma, "scalar": scalar, "seed": seed}
    options["exact"] = True  # data are made along its weakest directions too
    if error is not None:
        options["target_error"] = error
    if symmetric and prod(input_shape) <= SYMMETRIC and getattr(network, "symmetries", ()):
        options |= {"symmetry": list(network.symmetries), "patch": network.patch}
    if most < 64:  # what the estimator takes at most by itself
        options["probes"] = most
    with torch.random.fork_rng(devices=[]):  # on the CPU, so that all devices share an estimate
        torch.default_generator.manual_seed(0)
        first = redrawn(deepcopy(network).cpu())()
    identity = {
        "version": VERSION,
        "input_shape": input_shape,
        "options": options,
        "network": str(first),
        # the first draw tells one law of initialisation from another
        "draw": content(*(t.flatten() for t in (*first.parameters(), *first.buffers()))),
    }

    def compute() -> Geometry:
        return average_geometry(build, input_shape, **options).cpu()

    return compute() if folder is None else stored(folder, identity, compute)


def redrawn(network: nn.Module) -> Callable[[], nn.Module]:
    """Makes copies of a network with fresh weights."""

    def build() -> nn.Module:
        copy = deepcopy(network).float().requires_grad_(False).eval()
        copy.reset_parameters()  # type: ignore[operator]  # every network of ours has it
        return copy

    return build


def stored(folder: Path, identity: dict[str, Any], compute: Callable[[], Geometry]) -> Geometry:
    """The geometry of this identity from its file, computed and written first if need be."""
    text = json.dumps(identity, sort_keys=True)
    path = folder / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.pt"
    with Lock(path.with_suffix(".lock"), on_wait=lambda who: log.info("waiting for %s", who)):
        try:
            found = torch.load(path, map_location="cpu", weights_only=True)
            if found["identity"] == text:
                shape = tuple(found["input_shape"])
                return Geometry(shape, **{name: found[name] for name in (*PARTS, "error")})
        except FileNotFoundError:
            pass
        except Exception as error:  # a damaged archive raises whatever it was damaged into
            log.warning("cache: %s is damaged (%s) and computed anew", path, error)
        geometry = compute()
        state = {name: getattr(geometry, name) for name in ("input_shape", *PARTS, "error")}
        with replacing(path) as temporary:
            torch.save(state | {"identity": text}, temporary)
        return geometry
