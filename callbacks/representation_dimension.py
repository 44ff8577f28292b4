"""Intrinsic dimension of the network's representation of its training images."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from torch import Tensor

from callbacks.outputs import outputs
from callbacks.ranks import on_first
from callbacks.sampled_probe import SampledProbe
from callbacks.schedules import Schedule
from callbacks.subject import Measurement, Subject
from metrics.functional.intrinsic_dimension import intrinsic_dimension
from records.counted import counted

LEAST = 3  # images that TwoNN needs


class RepresentationDimension(SampledProbe):
    """d_repr: MLE and TwoNN dimension of the training set at hidden layers, in one pass.

    Logs `train/d_repr_mle/<layer>` with its interval over new images (`_low`, `_high`: sampling
    error, not bias), its value for half of the images (`_half`), and `train/d_repr_twonn/<layer>`,
    each with the number of points left out (`_dropped`) and of zero distances (`_zeros`).

    Reading it: see `metrics.functional.intrinsic_dimension`. It falls towards the last layers of a
    network that generalises. Compare at equal n and k: on fewer images, as before the end, it is
    lower.

    Args:
        layers: `penultimate`, `konz2024` (the layer of the published code), or names of modules.
        k: number of neighbours of the MLE.
        denominator: "k-1" (printed formula) or "k-2" (published code).
        average: over points, "harmonic" or "arithmetic".
        discard: share of the largest ratios that TwoNN leaves out.
        along: training images before the end, chosen by seed; None: all of them.
    """

    name = "representation_dimension"

    def __init__(
        self,
        layers: Sequence[str] = ("penultimate",),
        k: int = 20,
        denominator: Literal["k-1", "k-2"] = "k-1",
        average: Literal["harmonic", "arithmetic"] = "harmonic",
        discard: float = 0.1,
        along: int | None = None,
        schedule: Schedule | str = "end",
    ) -> None:
        super().__init__(along, schedule)
        self.layers = list(layers)
        self.estimate = partial(
            intrinsic_dimension, k=k, denominator=denominator, average=average, discard=discard
        )

    def measure_images(self, subject: Subject, count: int | None) -> Measurement:
        """Gather the representations of training images, then estimate on rank 0."""
        subject = replace(subject, layers=tuple(dict.fromkeys((*subject.layers, *self.layers))))
        found = outputs(subject, subject.data.train, count)
        features = {layer: found[layer] for layer in self.layers}
        scalars, notes = on_first(lambda: self._dimensions(features), subject)
        size = len(next(iter(features.values())))
        return Measurement(scalars, notes=notes, images=dict.fromkeys(scalars, size))

    def _dimensions(self, features: dict[str, Tensor]) -> tuple[dict[str, float], tuple[str, ...]]:
        scalars, notes = {}, []
        for layer, points in features.items():
            if len(points) < LEAST:
                notes.append(self._too_few(len(points)))
                break
            found = self.estimate(points)
            for quantity, value in found.scalars().items():
                if "@" not in quantity:  # other k are logged for the images only
                    scalars[_name(quantity, layer)] = value
            for quantity, reason in found.missing.items():
                notes.append(f"{_name(quantity, layer)} not measured: {reason}")
        return scalars, tuple(notes)

    def _too_few(self, n: int) -> str:
        k = self.estimate.keywords["k"]
        return (
            f"not measured: {counted(n, 'image')}; TwoNN needs {LEAST} and the MLE {k + 1}, so use "
            "a larger n; a rerun does not help"
        )


def _name(quantity: str, layer: str) -> str:
    return f"train/{quantity.replace('d_', 'd_repr_', 1)}/{layer}"
