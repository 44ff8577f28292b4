"""G_F of the network before training: the matrix and its eigenvalues, with their errors."""

from pathlib import Path
from typing import Literal

import torch

from callbacks.geometric_velocity import most_rows
from callbacks.geometry_cache import geometry_cache
from callbacks.probe import Probe
from callbacks.ranks import on_first
from callbacks.schedules import Schedule
from callbacks.subject import Measurement, Subject
from metrics.functional.geometry import Geometry
from metrics.functional.geometry_spectrum import GeometrySpectrum, geometry_spectrum
from metrics.functional.initial_geometry import initial_geometry
from metrics.functional.input_gradients import Scalar

MATRIX = 1024  # largest dimension whose matrix is saved (4 MB); above it, only the eigenvalues


class AverageGeometry(Probe):
    """The architecture's G_F from independent batches of random networks.

    Saves `geometry/g_f` (D, D), up to 32 x 32 pixels, and `geometry/g_f_eigenvalues` (R,) with
    their standard error over batches (`_error`). Logs `geometry/g_f_participation`,
    (tr G)^2 / tr G^2, `geometry/g_f_flat`, Corr(G, I), and `geometry/g_f_error`, the relative error
    of the matrix (Movahedi et al. 2025, Fig. 9).

    Reading it: a participation near D means that the network prefers no direction, as an MLP; its
    eigenvalues still spread by sampling, within the Marchenko-Pastur edges. A decay beyond the
    error bars is a property of the architecture.

    Args:
        models: number of random networks, over all batches.
        batches: number of independent estimates; at least 2.
        sigma: standard deviation of the points at which gradients are taken.
        scalar: whose gradient is taken: see `metrics.functional.input_gradients`.
        symmetric: average over the known symmetries of the network.
        cache: `paths.cache`; None estimates in every run.
    """

    name = "average_geometry"

    def __init__(
        self,
        models: int = 256,
        batches: int = 8,
        sigma: float = 1e-3,
        scalar: Literal["logit", "mean", "difference"] = "logit",
        symmetric: bool = False,
        cache: Path | None = None,
        schedule: Schedule | str = "start",
    ) -> None:
        super().__init__(schedule)
        if batches < 2 or models < 2 * batches:
            raise ValueError(
                f"average_geometry: {models} models in {batches} batches; errors need at least 2 "
                "batches, each of at least 2 models"
            )
        self.models, self.batches, self.sigma = models, batches, sigma
        self.scalar: Scalar = scalar
        self.symmetric = symmetric
        self.cache = None if cache is None else Path(cache).expanduser() / "geometry"

    def measure(self, subject: Subject) -> Measurement:
        """Estimate, or read from the cache, on rank 0."""
        found = on_first(lambda: self._estimate(subject), subject)
        scalars = {f"geometry/g_f_{name}": value for name, value in found.scalars().items()}
        if subject.rank:
            return Measurement(scalars)
        arrays = {
            "geometry/g_f_eigenvalues": found.values.numpy(),
            "geometry/g_f_eigenvalues_error": found.errors.numpy(),
        }
        if found.geometry.dimension <= MATRIX:
            arrays["geometry/g_f"] = found.geometry.dense().float().numpy()
        return Measurement(scalars, arrays)

    def _estimate(self, subject: Subject) -> GeometrySpectrum:
        network, shape = subject.behind_normalisation().network, subject.data.spec.shape
        cache = geometry_cache(self.cache, self.name, shape)

        def batch(seed: int) -> Geometry:
            return initial_geometry(
                network,
                shape,
                self.models // self.batches,
                most_rows(shape),
                self.sigma,
                self.scalar,
                cache,
                symmetric=self.symmetric,
                seed=seed,
            )

        with torch.no_grad():
            return geometry_spectrum([batch(seed) for seed in range(1, self.batches + 1)])
