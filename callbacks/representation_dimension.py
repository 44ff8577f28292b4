"""Intrinsic dimension of what the network makes of its training images."""

from collections.abc import Sequence
from typing import ClassVar, Literal

import torch
from torch import Tensor, nn

from callbacks.probe import Probe
from callbacks.ranks import collect, on_first
from callbacks.schedules import Schedule
from callbacks.subject import Measurement, Subject
from callbacks.taps import tap
from metrics.intrinsic_dimension import IntrinsicDimension


class RepresentationDimension(Probe):
    """d_repr: MLE and TwoNN dimension of the training set at hidden layers, in one pass.

    Logs `train/d_repr_mle/<layer>` with its interval (`_low`, `_high`) and
    `train/d_repr_twonn/<layer>`, each with the number of points left out (`_dropped`) and of zero
    distances (`_zeros`).

    Reading it: see `metrics.intrinsic_dimension`. It falls towards the last layers of a network
    that generalises; compare at equal n and k.

    Args:
        layers: `penultimate`, `reference` (what the published code tapped), or names of modules.
        k: neighbours of the MLE.
        denominator: "k-1" (printed formula) or "k-2" (published code).
        average: over points, "harmonic" or "arithmetic".
        discard: share of the largest ratios that TwoNN leaves out.
        schedule: when to measure.
    """

    name: ClassVar[str] = "representation_dimension"

    def __init__(
        self,
        layers: Sequence[str] = ("penultimate",),
        k: int = 20,
        denominator: Literal["k-1", "k-2"] = "k-1",
        average: Literal["harmonic", "arithmetic"] = "harmonic",
        discard: float = 0.1,
        schedule: Schedule | None = None,
    ) -> None:
        super().__init__(schedule)
        self.layers = list(layers)
        # rank 0 has the points of all ranks, so there is nothing to synchronise
        self.dimension = IntrinsicDimension(k, denominator, average, discard, sync_on_compute=False)

    def measure(self, subject: Subject) -> Measurement:
        """Gather the representations of all training images, then estimate on rank 0."""
        features = representations(subject, self.layers)
        return Measurement(on_first(lambda: self._dimensions(features), subject))

    def _dimensions(self, features: dict[str, Tensor]) -> dict[str, float]:
        scalars = {}
        for layer, points in features.items():
            self.dimension.reset()
            self.dimension.update(points)
            for quantity, value in self.dimension.result().scalars().items():
                scalars[f"train/{quantity.replace('d_', 'd_repr_', 1)}/{layer}"] = value
        self.dimension.reset()  # gives the points back
        return scalars


@torch.no_grad()
def representations(subject: Subject, layers: Sequence[str]) -> dict[str, Tensor]:
    """What each layer gives for every training image: (N, F), in the order of the split."""
    network, split = subject.network, subject.data.train
    assert isinstance(network, nn.Module)
    with tap(network, layers) as captured:

        def part(index: Tensor) -> dict[str, Tensor]:
            network(subject.images(split, index))
            return {layer: captured[layer] for layer in layers}

        return collect(part, len(split), subject)
