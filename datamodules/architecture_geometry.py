"""Eigenvectors of a network's average geometry G_F: directions to generate data along."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

import torch
from hydra.utils import instantiate
from torch import Tensor

from metrics.functional.canonical_basis import canonical_basis
from metrics.functional.initial_geometry import initial_geometry
from records.cached import cached_archive

LARGEST = 16_384  # dimensions up to which gradients are summed into a matrix: 2 GB
FACTOR_BYTES = 4e8  # of single gradients above that: 664 at 224 x 224 x 3, for 664 eigenvectors


@dataclass
class ArchitectureGeometry:
    """Eigenvalues and eigenvectors of G_F of a network, estimated once and read from the cache.

    Data sets, tasks and corruptions along a network's directions take this object or a file: see
    `datamodules.directions.Eigenbasis`. G_F is that of the network after its normalisation layer,
    averaged over the symmetries of its initialisation.

    Reading it: Movahedi et al. 2025 (A.12.1) found GELU and points of deviation 1e-5 to 1e-3 best,
    also for networks that train with ReLU; there the gradient hardly depends on the point. An MLP
    has one eigenvalue and a ViT two: single eigenvectors of a repeated eigenvalue mean nothing;
    `canonical_basis` makes them the same on every machine.
    """

    model: Mapping[str, Any] | None  # the model's configuration; only its `network` node is used
    channels: int  # of an image
    size: int  # pixels per side
    models: int = 1000  # random networks, at most
    error: float = 0.05  # stop drawing once the relative split-half error is below this
    sigma: float = 1e-3  # standard deviation of the points
    # of the random networks; `own` keeps that of the model
    activation: Literal["gelu", "relu", "own"] = "gelu"
    cache: Path | None = None  # `paths.cache`; None repeats the estimate at every call

    def __call__(self) -> tuple[Tensor, Tensor]:
        """Eigenvalues (R,), descending, and eigenvectors (D, R) as columns, float64."""
        node = dict((self.model or {}).get("network") or {})
        if not node:
            raise ValueError(
                "A direction given by number is an eigenvector of a network's geometry, and "
                "model=none has none: choose a model, or one for the geometry alone, as "
                "geometry@data.law.geometry=lenet."
            )
        if self.activation != "own" and "activation" in node:
            node["activation"] = self.activation
        shape = (self.channels, self.size, self.size)
        folder = None if self.cache is None else Path(self.cache).expanduser() / "geometry"
        with torch.random.fork_rng(devices=[]):  # GPUs, if any, stay untouched
            network = instantiate(
                node, in_channels=self.channels, size=self.size, outputs=1, _convert_="all"
            )
        dimension = math.prod(shape)
        most = 10**9 if dimension <= LARGEST else int(FACTOR_BYTES / 4 / dimension)
        geometry = initial_geometry(
            network,
            shape,
            self.models,
            most,
            self.sigma,
            "logit",
            partial(cached_archive, folder),
            self.error,
        )
        values, vectors = geometry.eigenvalues.double(), geometry.eigenvectors.double()
        return values, canonical_basis(values, vectors).T
