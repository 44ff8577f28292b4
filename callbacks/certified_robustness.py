"""Certified robust accuracy: the share of images that are provably classified correctly.

The class of such an image is right and stays the same under every change within an L2 radius.
"""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Literal

import torch
from torch import Tensor

from callbacks.figures.certified_share import certified_share
from callbacks.points import fixed_points
from callbacks.probe import Probe
from callbacks.ranks import collect
from callbacks.schedules import Schedule
from callbacks.subject import Measurement, Subject
from metrics.functional.certified_accuracy import certified_by_margins, certified_radii
from metrics.functional.certified_curve import certified_names
from metrics.functional.clopper_pearson import clopper_pearson
from metrics.functional.margin import as_pair, margins
from metrics.functional.smoothed_certificate import smoothed_certificate, smoothed_estimate
from metrics.functional.smoothing_counts import smoothing_counts
from records.seeds import seed_for


class CertifiedRobustness(Probe):
    """Certified robust accuracy: `test/cra@k` and `train/cra@k` at L2 radius k/255.

    `lipschitz` certifies a network that has an upper bound `lipschitz` on its L2 Lipschitz
    constant, from its margins, in float64, never in reduced precision (TF32, bfloat16).
    `smoothing` certifies the majority class of any network under Gaussian noise (`test/cra@k`,
    holds with probability 1 - alpha) and logs the published estimate too (`test/cra_estimate@k`),
    the number of test images (`test/smoothed_images`) and an interval over new ones
    (`test/cra_low@k`, `test/cra_high@k`), unless several images are of one group.

    Reading it: see `metrics.functional.certified_accuracy` and `smoothed_certificate`. The whole
    curve is drawn, and every image's radius is saved (NaN if its class is wrong).

    Args:
        mode: kind of certificate. For a network without a bound, `auto` uses smoothing and `known`
            measures nothing.
        radii: in 255ths.
        train: certify the training images too (lipschitz).
        sigma: standard deviation of the noise, in units of the pixels (smoothing).
        throws: noisy copies of each image, which limit the largest radius (smoothing).
        selection: additional copies that choose the class (smoothing).
        alpha: probability that a radius is wrong (smoothing).
        points: number of test images, chosen by seed; null: all (smoothing).
    """

    name = "certified_robustness"

    def __init__(
        self,
        mode: Literal["lipschitz", "smoothing", "auto", "known"] = "lipschitz",
        radii: Sequence[float] = (36, 72, 108, 255),
        train: bool = True,
        sigma: float = 0.125,
        throws: int = 1000,
        selection: int = 100,
        alpha: float = 0.001,
        points: int | None = 100,
        schedule: Schedule | str = "end",
    ) -> None:
        super().__init__(schedule)
        self.mode, self.train, self.points = mode, train, points
        self.radii = [radius / 255 for radius in radii]
        self.sigma, self.throws, self.selection, self.alpha = sigma, throws, selection, alpha

    def measure(self, subject: Subject) -> Measurement:
        """Certify every image, then read the curve at the radii."""
        bound = getattr(subject.network, "lipschitz", None)
        if bound is None and self.mode == "known":
            return Measurement({})
        smooths = self.mode == "smoothing" or (self.mode == "auto" and bound is None)
        if smooths:
            found = {"test": self._by_smoothing(subject)}
        else:
            stages = ("train", "test") if self.train else ("test",)
            found = {stage: self._by_margin(subject, stage, bound) for stage in stages}
        radius, _ = found["test"]
        figures = {}
        if subject.rank == 0:
            figures["test/certified_curve"] = certified_share(radius, subject.data.spec)
        numbers = ((stage, one) for stage, (_, scalars) in found.items() for one in scalars.items())
        scalars = {f"{stage}/{name}": value for stage, (name, value) in numbers}
        return Measurement(
            scalars,
            arrays={"test/certified_radius": radius.cpu().numpy()},
            figures=figures,
            images=dict.fromkeys(scalars, len(radius)) if smooths else {},
        )

    def _by_margin(
        self, subject: Subject, stage: str, bound: float | None
    ) -> tuple[Tensor, dict[str, float]]:
        if bound is None:
            kind = type(getattr(subject.network, "network", subject.network)).__name__
            raise ValueError(
                f"{kind} declares no Lipschitz constant from pixels to scores, so its margins "
                "certify nothing; use a 1-Lipschitz network (with model.normalize=none, centre or "
                "dataset), or callbacks.certified_robustness.mode=smoothing"
            )
        subject, split = in_float64(subject), getattr(subject.data, stage)

        @torch.no_grad()
        def part(index: Tensor) -> dict[str, Tensor]:
            return {"scores": as_pair(subject.network(subject.images(split, index)))}

        logits = collect(part, len(split), subject)["scores"]
        margin = margins(logits, split.y.to(logits.device))
        found = certified_by_margins(margin, self.radii, bound)
        return certified_radii(margin, bound), found.scalars()

    def _by_smoothing(self, subject: Subject) -> tuple[Tensor, dict[str, float]]:
        split, seed = subject.data.test, seed_for(subject.seed, "smoothing")
        chosen = fixed_points(len(split), self.points, subject.seed)
        with torch.no_grad():
            classes = as_pair(subject.network(subject.images(split, chosen[:1]))).shape[1]

        def part(place: Tensor) -> dict[str, Tensor]:
            index = chosen[place]
            counts = smoothing_counts(
                lambda copies: as_pair(subject.network(copies)).argmax(1),
                subject.images(split, index),
                self.sigma,
                classes,
                n=self.throws,
                n0=self.selection,
                seed=seed,
                batch=256,
                indices=index,
            )
            return counts._asdict()

        counts = collect(part, len(chosen), subject, batch=1)
        y = split.y[chosen].to(subject.device)
        found = smoothed_certificate(
            counts["counts"], y, self.sigma, counts["selection"], self.alpha
        )
        published = smoothed_estimate(counts["counts"], y, self.sigma)
        scalars: dict[str, float] = {}
        for kind, certificate in (("cra", found), ("cra_estimate", published)):
            names = [name.replace("cra", kind) for name in certified_names(self.radii)]
            scalars |= zip(names, certificate.certified_accuracy(self.radii).tolist(), strict=True)
        scalars |= {f"smoothed_{name}": value for name, value in found.scalars().items()}
        scalars["smoothed_images"] = float(len(chosen))
        groups = None if split.group is None else split.group[chosen]
        if groups is None or len(groups.unique()) == len(groups):
            scalars |= _intervals({n: x for n, x in scalars.items() if "cra@" in n}, len(chosen))
        return found.radius.where(found.correct, torch.nan), scalars


def _intervals(shares: dict[str, float], images: int) -> dict[str, float]:
    """Exact 95 % intervals over test images, by the names of the shares.

    >>> sorted(_intervals({"cra@36": 0.0}, 10))
    ['cra_high@36', 'cra_low@36']
    """
    found: dict[str, float] = {}
    for name, value in shares.items():
        ends = clopper_pearson(round(value * images), images)
        names = (name.replace("@", f"_{end}@") for end in ("low", "high"))
        found |= dict(zip(names, ends, strict=True))
    return found


def in_float64(subject: Subject) -> Subject:
    """The subject with a float64 copy of its network.

    GPUs may round float32 convolutions to 10 bits: 1e-3 of a score.
    """
    return replace(subject, networks=(deepcopy(subject.network).double(),))
