"""Distance from test images to their nearest training image, as a function of n."""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

import torch
from torch import Tensor

from callbacks.figures.nearest_distances import nearest_distances
from callbacks.points import fixed_points
from callbacks.probe import Probe
from callbacks.ranks import on_first
from callbacks.schedules import Schedule
from callbacks.subject import Measurement, Subject
from metrics.functional.neighbour_scaling import NeighbourScalingResult, neighbour_scaling

HALVINGS = 10  # 50,000 down to 48, as published
LEAST = 10  # images; the distance is noisy with fewer


class NeighbourScaling(Probe):
    """d* of the images: `data/d_star/l2`, `data/log10_n_at_1/l2`, the same for angles.

    r*(n), the typical distance from a test image to the nearest of the first n training images,
    falls as C n^(-1/d*). Every test image's distance at every n is saved (`data/nearest_l2`, sizes
    by test images, and `data/neighbour_sizes`), to check whether a network is better on images with
    a near neighbour.

    Reading it: see `metrics.functional.neighbour_scaling`. d* depends on the range of n fitted.

    Args:
        sizes: training images n, ascending; null halves the training set up to ten times.
        distances: "l2", "angular" or both; angles are seen from the mean colour of the training
            images.
        statistic: over test images.
        fit_from: smallest n in the fits.
        points: number of test images, chosen by seed; null: all.
    """

    name = "neighbour_scaling"
    needs_network: ClassVar[bool] = False

    def __init__(
        self,
        sizes: Sequence[int] | None = None,
        distances: Sequence[Literal["l2", "angular"]] = ("l2", "angular"),
        statistic: Literal["median", "mean"] = "median",
        fit_from: int = 1,
        points: int | None = 1000,
        schedule: Schedule | str = "start",
    ) -> None:
        super().__init__(schedule)
        self.sizes = None if sizes is None else list(sizes)
        self.distances = list(distances)
        self.statistic, self.fit_from, self.points = statistic, fit_from, points

    def measure(self, subject: Subject) -> Measurement:
        """Measure on rank 0: one pass over the training images for each kind of distance."""
        found: dict[str, NeighbourScalingResult] = on_first(lambda: self._find(subject), subject)
        scalars: dict[str, float] = {}
        arrays: dict[str, Any] = {}
        for kind, result in found.items():
            scalars |= {f"data/{name}/{kind}": x for name, x in result.scalars().items()}
            arrays[f"data/nearest_{kind}"] = result.nearest.cpu().numpy()
            arrays["data/neighbour_sizes"] = torch.tensor(result.sizes).numpy()
        figures = {}
        if subject.rank == 0:
            drawn = nearest_distances(found, self.statistic, subject.data.spec)
            figures["data/neighbour_scaling"] = drawn
        return Measurement(scalars, arrays, figures)

    def _find(self, subject: Subject) -> dict[str, NeighbourScalingResult]:
        train, test = subject.data.train, subject.data.test
        sizes = halvings(len(train)) if self.sizes is None else self.sizes
        chosen = fixed_points(len(test), self.points, subject.seed)
        images = {"train": subject.images(train), "test": subject.images(test, chosen)}
        centre = torch.tensor(subject.data.spec.mean, device=subject.device)[:, None, None]

        def seen(kind: str, part: str) -> Tensor:
            return images[part] - centre if kind == "angular" else images[part]

        return {
            kind: neighbour_scaling(
                seen(kind, "train"),
                seen(kind, "test"),
                sizes,
                metric=kind,
                statistic=self.statistic,
                fit_from=self.fit_from,
            )
            for kind in self.distances
        }


def halvings(n: int) -> list[int]:
    """The whole training set, its half, its quarter ..., ascending.

    >>> halvings(50_000)
    [48, 97, 195, 390, 781, 1562, 3125, 6250, 12500, 25000, 50000]
    >>> halvings(50)
    [12, 25, 50]
    """
    return [n >> k for k in range(HALVINGS, -1, -1) if n >> k >= LEAST]
