"""How hard the training set is, before anything is trained on it."""

from pathlib import Path
from typing import Any, ClassVar, Literal

import torch
from matplotlib.figure import Figure

from callbacks.pictures import as_rgb, class_name, draw, heading
from callbacks.probe import Probe
from callbacks.ranks import on_first
from callbacks.remember import content, remember
from callbacks.schedules import AtStart, Schedule
from callbacks.subject import Measurement, Subject
from metrics.functional.label_sharpness import label_sharpness
from metrics.intrinsic_dimension import IntrinsicDimension
from records.seeds import seed_for

VERSION = 1  # raise it when an estimator changes its numbers: older entries are then not found


class DatasetProperties(Probe):
    """d_data and K_F of the training images, and the closest pair of different labels as a picture.

    Logs `data/d_mle`, `data/d_twonn`; `data/k_f` per grey level (the papers' unit: pixels in
    [0, 255]) with its interval over draws (`_low`, `_high`), without pairs at distance 0
    (`_finite`) and without pairs of one patient (`_between_groups`, where there are groups);
    `data/k_f_rms`, free of unit and size; `data/k_f_zero_pairs`; `data/k_f_images`, the size M of a
    draw. For data without a pixel range the unit is 1/255 of their own.

    Computed on rank 0, once for the same images, labels and options, then read from the cache.

    Reading it: see `metrics.intrinsic_dimension` and `metrics.functional.label_sharpness`. K_F
    grows with M: compare where `data/k_f_images` is equal.

    Args:
        cache: `paths.cache`; None computes every time.
        k: neighbours of the MLE.
        denominator: "k-1" (printed formula) or "k-2" (published code).
        average: over points, "harmonic" or "arithmetic".
        discard: share of the largest ratios that TwoNN leaves out.
        draws: class-balanced samples that K_F is averaged over.
        sample: M, images of a sample, fewer where a class is too rare for its share; where the
            training set has no more than that, or draws=0, K_F is of the whole set, once.
        pairs: "all" of a sample, "random" ones (published code), or "inverted", random ones of
            equal labels (its last release).
        schedule: when to measure; before training by default.
    """

    name: ClassVar[str] = "dataset_properties"
    needs_network: ClassVar[bool] = False

    def __init__(
        self,
        cache: Path | None = None,
        k: int = 20,
        denominator: Literal["k-1", "k-2"] = "k-1",
        average: Literal["harmonic", "arithmetic"] = "harmonic",
        discard: float = 0.1,
        draws: int = 25,
        sample: int = 1000,
        pairs: Literal["all", "random", "inverted"] = "all",
        schedule: Schedule | None = None,
    ) -> None:
        super().__init__(schedule or AtStart())
        self.cache = None if cache is None else Path(cache).expanduser() / "properties"
        self.dimension = {
            "k": k, "denominator": denominator, "average": average, "discard": discard,
        }  # fmt: skip
        self.sharpness = {"draws": draws, "sample": sample, "pairs": pairs}

    def measure(self, subject: Subject) -> Measurement:
        """Look the numbers up, or compute them, on rank 0."""
        found = on_first(lambda: self._find(subject), subject)
        scalars = {f"data/{name}": value for name, value in found["scalars"].items()}
        if subject.rank or "data/k_f_finite" not in scalars:  # all opposite pairs are equal images
            return Measurement(scalars)
        figure = picture(subject, *found["pair"], scalars["data/k_f_finite"])
        return Measurement(scalars, figures={"data/closest_pair": figure})

    def _find(self, subject: Subject) -> dict[str, Any]:
        train = subject.data.train
        identity = {
            "version": VERSION,
            "data": subject.data.spec.name,
            "content": content(train.x, train.y, train.group),
            "seed": subject.seed,
            "dimension": self.dimension,
            "sharpness": self.sharpness,
        }
        return remember(self.cache, identity, lambda: self._compute(subject))

    def _compute(self, subject: Subject) -> dict[str, Any]:
        train = subject.data.train
        x, y = train.x.to(subject.device), train.y.to(subject.device)
        group = None if train.group is None else train.group.to(subject.device)
        dimension = IntrinsicDimension(**self.dimension, sync_on_compute=False)
        dimension.update(x)
        scalars = dimension.result().scalars()

        counts = y.unique(return_counts=True)[1]
        images = min(self.sharpness["sample"], len(counts) * int(counts.min()))
        draws = self.sharpness["draws"] if self.sharpness["sample"] < len(y) else 0
        levels = not x.is_floating_point()  # uint8: distances are in grey levels already
        span = 255.0 if levels else float(x.max() - x.min())
        sharpness = label_sharpness(
            x,
            y,
            group,
            value_range=span,
            draws=draws,
            sample=images,
            pairs=self.sharpness["pairs"],
            seed=seed_for(subject.seed, "sharpness"),
        )
        numbers = sharpness.scalars()
        rms = numbers.pop("k_f_rms") / (1 if levels else span)
        zero_pairs = numbers.pop("k_f_zero_pairs")
        scalars |= {name: value / (1 if levels else 255) for name, value in numbers.items()}
        scalars |= {"k_f_rms": rms, "k_f_zero_pairs": zero_pairs}
        scalars["k_f_images"] = float(images if draws else len(y))
        return {"scalars": scalars, "pair": list(sharpness.pair)}


def picture(subject: Subject, first: int, second: int, k_f: float) -> Figure:
    """The closest two images (but not equal) of different labels, and where they differ."""
    split, spec = subject.data.train, subject.data.spec
    a, b = split.images(slice(first, first + 1))[0], split.images(slice(second, second + 1))[0]
    distance = 255 * float((a.double() - b.double()).norm())
    figure = Figure(figsize=(6.6, 2.7), layout="constrained")
    left, middle, right = figure.subplots(1, 3)
    for axes, colours, row in zip(
        (left, middle), as_rgb(torch.stack([a, b])), (first, second), strict=True
    ):
        draw(axes, colours, class_name(spec, int(split.y[row])))
    apart = (a - b).abs().mean(0).cpu()
    shown = right.imshow(255 * apart.numpy(), cmap="magma", vmin=0)
    right.set(xticks=[], yticks=[])
    unit = "255ths" if spec.value_range is None else "grey levels"
    right.set_title(f"difference ({unit})", fontsize=8)
    figure.colorbar(shown, ax=right, shrink=0.8)
    heading(figure, f"closest pair, {distance:.4g} apart; K_F = {k_f:.3g}", spec)
    return figure
