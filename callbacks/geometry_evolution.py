"""Delta_F: how training starts to change the geometry of random networks, and its prediction."""

from pathlib import Path

import torch
from torch import Tensor, nn

from callbacks.geometric_velocity import most_rows
from callbacks.geometry_cache import geometry_cache
from callbacks.points import fixed_points
from callbacks.probe import Probe
from callbacks.ranks import on_first
from callbacks.schedules import Schedule
from callbacks.subject import Measurement, Subject
from metrics.functional.evolution_alignment import evolution_alignment
from metrics.functional.geometry import Geometry, covariance_of
from metrics.functional.geometry_evolution import geometry_evolution
from metrics.functional.initial_geometry import initial_geometry, redrawn
from metrics.functional.initialisation import Initialisation
from metrics.functional.predicted_evolution import network_evolution
from records.seeds import seed_for


class GeometryEvolution(Probe):
    """Corr(Delta_F, S) and Corr(Delta_F, G_F S G_F) before training.

    Logs `geometry/delta_corr_s` and `geometry/delta_corr_gsg`, corrected for the Monte Carlo noise
    of Delta_F, each with `_error` (standard error over batches of networks) and `_raw` (without the
    correction); for the two networks of Theorems 3.1 and 3.2 (one hidden ReLU layer; a linear
    convolution with global pooling; Gaussian weights, no biases) also
    `geometry/delta_corr_s_predicted` or `geometry/delta_corr_gsg_predicted`.

    Reading it: near -1 the geometry changes against the data's covariance, weighted by the
    architecture. Movahedi et al. 2025 (Fig. 7) plot the absolute value against width.

    Args:
        models: number of random networks, over all batches.
        batches: number of independent estimates, at least 3.
        points: N(0, sigma^2 I) points per batch.
        sigma: their standard deviation.
        images: number of training images for the networks and for S.
        cache: `paths.cache`, for G_F.
    """

    name = "geometry_evolution"

    def __init__(
        self,
        models: int = 512,
        batches: int = 8,
        points: int = 4,
        sigma: float = 1.0,
        images: int = 256,
        cache: Path | None = None,
        schedule: Schedule | str = "start",
    ) -> None:
        super().__init__(schedule)
        if batches < 3 or models < batches:
            raise ValueError(
                f"geometry_evolution: {models} models in {batches} batches; errors need at least 3 "
                "batches, each of at least 1 model"
            )
        self.models, self.batches = models, batches
        self.points, self.sigma, self.images = points, sigma, images
        self.cache = None if cache is None else Path(cache).expanduser() / "geometry"

    def measure(self, subject: Subject) -> Measurement:
        """Estimate Delta_F on rank 0."""
        return Measurement(on_first(lambda: self._find(subject.behind_normalisation()), subject))

    def _find(self, subject: Subject) -> dict[str, float]:
        split, shape, network = subject.data.train, subject.data.spec.shape, subject.network
        chosen = fixed_points(len(split), self.images, subject.seed)
        x = subject.images(split, chosen)
        # in main memory, where G_F is
        covariance = covariance_of(subject.images_in_memory(split, chosen))
        known = initial_geometry(
            network,
            shape,
            self.models,
            most_rows(shape),
            self.sigma,
            "logit",
            geometry_cache(self.cache, self.name, shape),
        )
        estimates = [
            self._delta(network, x, shape, batch, subject) for batch in range(self.batches)
        ]
        targets = {"s": covariance, "gsg": known.sandwich(covariance)}
        found = evolution_alignment(estimates, list(targets.values()))
        scalars = {
            f"geometry/delta_corr_{name}{part}": value
            for name, alignment in zip(targets, found, strict=True)
            for part, value in alignment.scalars().items()
        }
        if (theory := network_evolution(network, covariance, shape)) is not None:
            name, law = theory
            scalars[f"geometry/delta_corr_{name}_predicted"] = law.correlation
        return scalars

    def _delta(
        self,
        network: nn.Module,
        x: Tensor,
        shape: tuple[int, int, int],
        batch: int,
        subject: Subject,
    ) -> Geometry:
        generator = torch.Generator().manual_seed(seed_for(subject.seed, "evolution", batch))
        points = self.sigma * torch.randn(self.points, *shape, generator=generator)
        law = Initialisation(redrawn(network), seed=seed_for(subject.seed, "evolution nets", batch))
        draws = law.draws(self.models // self.batches)
        return geometry_evolution(draws, points.to(x), x).cpu()
