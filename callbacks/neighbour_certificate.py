"""Certified robustness of the 1-nearest-neighbour classifier, which needs no training."""

import math
from collections.abc import Sequence
from typing import ClassVar, Literal

from callbacks.points import fixed_points
from callbacks.probe import Probe
from callbacks.ranks import on_first
from callbacks.schedules import Schedule
from callbacks.subject import Measurement, Subject
from metrics.functional.certified_curve import certified_names
from metrics.functional.neighbour_certificate import (
    NeighbourCertificateResult,
    nearest_neighbour_certificate,
)


class NeighbourCertificate(Probe):
    """1-NN on the test images: `data/nn_accuracy`, and `data/nn_cra@k` certified at k/255.

    `data/nn_cra_sharp@k` uses a sharper bound, which holds in L2 only. Every image's radius is
    saved (`data/nn_radius`).

    Reading it: see `metrics.functional.neighbour_certificate`. A network that certifies less is
    less robust than a lookup in the training set.

    Args:
        norm: of the perturbations, "l2" or "linf".
        radii: in 255ths.
        points: number of test images, chosen by seed; null: all.
    """

    name = "neighbour_certificate"
    needs_network: ClassVar[bool] = False

    def __init__(
        self,
        norm: Literal["l2", "linf"] = "l2",
        radii: Sequence[float] = (36, 72, 108, 255),
        points: int | None = 1000,
        schedule: Schedule | str = "start",
    ) -> None:
        super().__init__(schedule)
        self.p = 2.0 if norm == "l2" else math.inf
        self.radii = [radius / 255 for radius in radii]
        self.points = points

    def measure(self, subject: Subject) -> Measurement:
        """Certify on rank 0."""
        found: NeighbourCertificateResult = on_first(lambda: self._find(subject), subject)
        names = certified_names(self.radii)
        kinds = {"cra": False} | ({"cra_sharp": True} if found.sharp_radius is not None else {})
        scalars = {f"data/nn_{name}": value for name, value in found.scalars().items()}
        for kind, sharp in kinds.items():
            share = found.certified_accuracy(self.radii, sharp).tolist()
            for name, value in zip(names, share, strict=True):
                scalars[f"data/nn_{name.replace('cra', kind)}"] = value
        return Measurement(scalars, arrays={"data/nn_radius": found.radius.cpu().numpy()})

    def _find(self, subject: Subject) -> NeighbourCertificateResult:
        train, test = subject.data.train, subject.data.test
        chosen = fixed_points(len(test), self.points, subject.seed)
        return nearest_neighbour_certificate(
            subject.images(test, chosen),
            test.y[chosen].to(subject.device),
            subject.images(train),
            train.y.to(subject.device),
            p=self.p,
        )
