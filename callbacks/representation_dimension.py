"""Intrinsic dimension of the network's representation of its training images."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from torch import Tensor

from callbacks.outputs import outputs
from callbacks.probe import Probe
from callbacks.ranks import on_first
from callbacks.schedules import Schedule
from callbacks.subject import Measurement, Subject
from metrics.functional.intrinsic_dimension import intrinsic_dimension


class RepresentationDimension(Probe):
    """d_repr: MLE and TwoNN dimension of the training set at hidden layers, in one pass.

    Logs `train/d_repr_mle/<layer>` with its interval over new images (`_low`, `_high`: chance
    alone, bias is not in it), its value for half of the images (`_half`), and
    `train/d_repr_twonn/<layer>`, each with the number of points left out (`_dropped`) and of zero
    distances (`_zeros`).

    Reading it: see `metrics.functional.intrinsic_dimension`. It falls towards the last layers of a
    network that generalises; compare at equal n and k.

    Args:
        layers: `penultimate`, `konz2024` (what the published code tapped), or names of modules.
        k: neighbours of the MLE.
        denominator: "k-1" (printed formula) or "k-2" (published code).
        average: over points, "harmonic" or "arithmetic".
        discard: share of the largest ratios that TwoNN leaves out.
        schedule: when to measure.
    """

    name = "representation_dimension"

    def __init__(
        self,
        layers: Sequence[str] = ("penultimate",),
        k: int = 20,
        denominator: Literal["k-1", "k-2"] = "k-1",
        average: Literal["harmonic", "arithmetic"] = "harmonic",
        discard: float = 0.1,
        schedule: Schedule | str = "end",
    ) -> None:
        super().__init__(schedule)
        self.layers = list(layers)
        self.estimate = partial(
            intrinsic_dimension, k=k, denominator=denominator, average=average, discard=discard
        )

    def measure(self, subject: Subject) -> Measurement:
        """Gather the representations of all training images, then estimate on rank 0."""
        subject = replace(subject, layers=tuple(dict.fromkeys((*subject.layers, *self.layers))))
        found = outputs(subject, subject.data.train)
        features = {layer: found[layer] for layer in self.layers}
        scalars, notes = on_first(lambda: self._dimensions(features), subject)
        return Measurement(scalars, notes=notes)

    def _dimensions(self, features: dict[str, Tensor]) -> tuple[dict[str, float], tuple[str, ...]]:
        scalars, notes = {}, []
        for layer, points in features.items():
            found = self.estimate(points)
            for quantity, value in found.scalars().items():
                scalars[f"train/{_name(quantity)}/{layer}"] = value
            for quantity, reason in found.missing.items():
                notes.append(f"train/{_name(quantity)}/{layer} not measured: {reason}")
        return scalars, tuple(notes)


def _name(quantity: str) -> str:
    return quantity.replace("d_", "d_repr_", 1)
