"""Difficulty of the training set, before training."""

from pathlib import Path
from typing import Any, ClassVar, Literal

from callbacks.data_notes import (
    closest_pair_note,
    equal_images_note,
    find_leaks,
    is_own,
    leakage_note,
    mixed_groups_note,
)
from callbacks.figures.closest_pair import closest_pair
from callbacks.probe import Probe
from callbacks.ranks import on_first
from callbacks.schedules import Schedule
from callbacks.subject import Measurement, Subject
from metrics.functional.balanced_draws import number_of_draws
from metrics.functional.intrinsic_dimension import intrinsic_dimension
from metrics.functional.label_sharpness import label_sharpness
from metrics.functional.tensor_digest import tensor_digest
from records.cached import cached_json
from records.seeds import seed_for

VERSION = 5  # raise it when an estimator changes its numbers, so that old entries are not used


class DatasetProperties(Probe):
    """d_data and K_F of the training images, and a picture of the closest pair of different labels.

    Logs `data/d_mle` with its interval over new images (`_low`, `_high`: sampling error, not bias),
    its value for half of the images (`_half`: if it is lower, the bias is downwards) and for other
    numbers of neighbours (`@5`, `@10`, `@40`: the same if it falls as they grow); `data/d_twonn`;
    `data/k_f` per grey level (the papers' unit: pixels in [0, 255]) with its interval over new
    samples (`_low`, `_high`), without pairs at distance 0 (`_finite`) and, if there are groups,
    without pairs within a group (`_between_groups`); `data/k_f_rms`, independent of unit and size;
    `data/k_f_zero_pairs`; `data/k_f_images`, the size M of a sample. For data without a pixel range
    the unit is 1/255 of theirs.

    A quantity that cannot be measured (MLE with n <= k, K_F of one class) is noted, the others are
    measured. Equal images with different labels, which make K_F infinite, are shown and named. The
    numbers are cached: computed once for the same images, labels and options.

    Reading it: see `intrinsic_dimension` and `label_sharpness` in `metrics.functional`. K_F grows
    with M: compare it at equal `data/k_f_images`. Draws have the same number of every class: with
    49 images of the rarest of two classes M is 98, whatever n is.

    Args:
        cache: `paths.cache`; None computes every time.
        k: number of neighbours of the MLE.
        denominator: "k-1" (printed formula) or "k-2" (published code).
        average: over points, "harmonic" or "arithmetic".
        discard: share of the largest ratios that TwoNN leaves out.
        draws: number of class-balanced samples that K_F is averaged over; 0: the whole set, once.
        sample: M, images of a sample, fewer if a class is too rare, and a multiple of the number of
            classes. A training set of at most this many images is used whole, unless equal numbers
            of every class would leave out more than a quarter of it.
        pairs: "all" of a sample, "random" ones (published code), or "inverted", random ones of
            equal labels (its last release).
    """

    name = "dataset_properties"
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
        schedule: Schedule | str = "start",
    ) -> None:
        super().__init__(schedule)
        self.cache = None if cache is None else Path(cache).expanduser() / "properties"
        self.dimension: dict[str, Any] = {
            "k": k, "denominator": denominator, "average": average, "discard": discard,
        }  # fmt: skip
        self.sharpness: dict[str, Any] = {"draws": draws, "sample": sample, "pairs": pairs}

    def measure(self, subject: Subject) -> Measurement:
        """Read the numbers from the cache, or compute them, on rank 0."""
        found = on_first(lambda: self._find(subject), subject)
        scalars = {f"data/{name}": value for name, value in found["scalars"].items()}
        notes = [f"data/{name} not measured: {why}" for name, why in found["missing"].items()]
        if equal := found["equal"]:
            count = int(scalars["data/k_f_zero_pairs"])
            notes.append(equal_images_note(subject, equal, count))
        if is_own(subject):
            notes += self._own_notes(subject, found)
        if subject.rank or "pair" not in found:
            return Measurement(scalars, notes=tuple(notes))
        data = subject.data
        figure = closest_pair(data.train, found["pair"], scalars["data/k_f"], data.spec)
        return Measurement(scalars, figures={"data/closest_pair": figure}, notes=tuple(notes))

    def _own_notes(self, subject: Subject, found: dict[str, Any]) -> list[str]:
        """Files to check: the closest pair, copied test images, groups of several labels."""
        notes = [mixed_groups_note(subject)]
        if "pair" in found and not found["equal"]:
            notes.append(closest_pair_note(subject, found["pair"]))
        train, test = subject.data.train, subject.data.test
        identity = {"leaks": 1, "content": tensor_digest(train.x, test.x)}

        def compute() -> dict[str, Any]:
            return {"leaks": find_leaks(subject)}

        leaks = on_first(lambda: cached_json(self.cache, identity, compute), subject)["leaks"]
        notes += [leakage_note(subject, leaks)] if leaks else []
        return [note for note in notes if note]

    def _find(self, subject: Subject) -> dict[str, Any]:
        train = subject.data.train
        identity = {
            "version": VERSION,
            "data": subject.data.spec.name,
            "content": tensor_digest(train.x, train.y, train.group),
            "seed": subject.seed,
            "dimension": self.dimension,
            "sharpness": self.sharpness,
        }
        return cached_json(self.cache, identity, lambda: self._compute(subject))

    def _compute(self, subject: Subject) -> dict[str, Any]:
        """Dimension and sharpness independently: if one cannot be measured, the other still is."""
        found: dict[str, Any] = {"scalars": {}, "missing": {}, "equal": []}
        for name, part in (("d", self._dimension), ("k_f", self._sharpness)):
            try:
                part(subject, found)
            except ValueError as error:
                found["missing"][name] = str(error)
        if not found["scalars"]:
            raise ValueError("; ".join(found["missing"].values()))
        return found

    def _dimension(self, subject: Subject, found: dict[str, Any]) -> None:
        dimension = intrinsic_dimension(subject.data.train.x.to(subject.device), **self.dimension)
        found["scalars"] |= dimension.scalars()
        found["missing"] |= dimension.missing

    def _sharpness(self, subject: Subject, found: dict[str, Any]) -> None:
        train = subject.data.train
        x, y = train.x.to(subject.device), train.y.to(subject.device)
        draws, images = number_of_draws(
            y, self.sharpness["draws"], self.sharpness["sample"], train.clean_y
        )
        levels = not x.is_floating_point()  # uint8: distances are in grey levels already
        sharpness = label_sharpness(
            x,
            y,
            None if train.group is None else train.group.to(subject.device),
            value_range=255.0 if levels else None,
            draws=draws,
            sample=images,
            pairs=self.sharpness["pairs"],
            seed=seed_for(subject.seed, "sharpness"),
        )
        found["scalars"] |= sharpness.rescaled(1 if levels else 255).scalars()
        found["scalars"]["k_f_images"] = float(images)
        found |= {"pair": list(sharpness.pair), "equal": [list(pair) for pair in sharpness.equal]}
