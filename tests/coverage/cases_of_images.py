"""Intervals over images or patients, and the certificates of smoothing."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from metrics.functional.classification_report import classification_report
from metrics.functional.estimate import Estimate
from metrics.functional.label_sharpness import label_sharpness
from metrics.functional.log_spectrum import log_spectrum
from metrics.functional.mle_dimension import mle_dimension, neighbours_for_interval
from metrics.functional.neighbours import neighbours
from metrics.functional.required_samples import required_samples
from metrics.functional.smoothed_certificate import smoothed_certificate
from metrics.functional.task_difficulty import TaskDifficultyRatio, task_difficulty_ratio
from tests.coverage.case import Case
from tests.coverage.populations import DIMENSION, held, normal, points

# Medians of K_F over 20,000 sets of 100 images; scores in closed form.
SHARPNESS = {5: 2.0024, 10: 0.66864}
ALIKE = ("accuracy", "balanced_accuracy", "sensitivity", "specificity", "f1")
SCORES = dict.fromkeys(ALIKE, 0.75652) | {"auroc": 0.83722}


def by_draws(d: int) -> Callable[[int], bool | None]:
    """K_F as the mean of 5 draws of 100 from 200 images, against its median over new images."""

    def draw(seed: int) -> bool | None:
        x, y = normal(seed, 200, d), torch.arange(200) % 2
        found = label_sharpness(x, y, value_range=100.0, draws=5, sample=100, seed=seed)
        return held(found.population, SHARPNESS[d])

    return draw


def two_labellings(seed: int, d: int) -> TaskDifficultyRatio:
    """Of the same images, at random: equally hard."""
    x, generator = normal(seed, 200, d), torch.Generator().manual_seed(seed)
    labels = [torch.randperm(200, generator=generator) % 2 for _ in range(2)]
    found = [label_sharpness(x, y, value_range=100.0).population for y in labels]
    return task_difficulty_ratio(*found)


def modes(shared: float) -> Callable[[int], bool | None]:
    """Whether two modes are found in 10 values each of 50 images, uniform and correlated."""

    def draw(seed: int) -> bool | None:
        parts = normal(seed, 50, 11)
        z = math.sqrt(shared) * parts[:, :1] + math.sqrt(1 - shared) * parts[:, 1:]
        return log_spectrum(torch.special.ndtr(z).exp()).split.trough is not None

    return draw


def half_the_loss(name: str) -> Callable[[int], bool | None]:
    """Images for half the loss, d by the MLE: 2^d times as many."""

    def draw(seed: int) -> bool | None:
        found = neighbours(points(name, seed), neighbours_for_interval(10, 300))
        d = mle_dimension(found, 10, seed=seed)
        needed = required_samples(0.5, 0.0, Estimate(d.dimension, d.low, d.high), draws=2000)
        return held(needed, DIMENSION[name] * math.log10(2))

    return draw


def predictions(seed: int, patients: int, images: int) -> tuple[Tensor, Tensor, Tensor]:
    """Probabilities, labels and patients: each patient has a label and an effect of its own."""
    generator = torch.Generator().manual_seed(seed)
    patient = torch.arange(patients).repeat_interleave(images)
    y = torch.randint(2, (patients,), generator=generator)[patient]
    effect = torch.randn(patients, 2, generator=generator)[patient]
    z = torch.randn(len(y), 2, generator=generator) + 0.7 * effect
    z[torch.arange(len(y)), y] += 1.2
    return (1.5 * z).softmax(1), y, patient


def score(name: str, patients: int, images: int) -> Callable[[int], bool | None]:
    """A score of one network over patients."""

    def draw(seed: int) -> bool | None:
        report = classification_report(*predictions(seed, patients, images), draws=200, seed=seed)
        if name not in report.intervals:
            return None
        low, high = report.intervals[name]
        return low <= SCORES[name] <= high

    return draw


def certificate(seed: int) -> bool:
    """A radius at alpha = 0.05 that is not above that of the true probability, 0.7."""
    generator, p = torch.Generator().manual_seed(seed), torch.tensor([0.7, 0.2, 0.1])
    counts, selection = (
        torch.multinomial(p, n, True, generator=generator).bincount(minlength=3)[None]
        for n in (200, 50)
    )
    y = torch.zeros(1, dtype=torch.long)
    found = smoothed_certificate(counts, y, 1.0, selection=selection, alpha=0.05)
    return float(found.radius) <= float(torch.special.ndtri(p[0]))


CASES_OF_IMAGES = [
    *(Case(f"K_F by 5 draws of 100 from 200 images, d = {d}", "new images", by_draws(d))
      for d in (5, 10)),
    *(Case(f"K_F ratio of two labellings, d = {d} (conservative)", "new images",
           lambda seed, d=d: held(two_labellings(seed, d).ratio, 1.0)) for d in (5, 10)),
    *(Case(f"harder of two labellings, d = {d} (conservative)", "new images",
           lambda seed, d=d: two_labellings(seed, d).harder != "not known", 0.05) for d in (5, 10)),
    *(Case(f"two modes, 50 images of 10 values, correlation {shared} (conservative)", "images",
           modes(shared), 0.05) for shared in (0.3, 0.7)),
    *(Case(f"n for half the loss, {name}", "new images", half_the_loss(name))
      for name in ("cube 5", "Gauss 10")),
    *(Case(f"{name}, 30 patients of 10 images", "patients", score(name, 30, 10))
      for name in SCORES),
    Case("AUROC, 20 patients of 6 images", "patients", score("auroc", 20, 6)),
    Case("radius by smoothing (exact, so conservative)", "draws of noise", certificate),
]  # fmt: skip
