"""Randomized smoothing: radius of the smoothed classifier from counts of noisy predictions."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from metrics.functional.certified_curve import certified_curve
from metrics.functional.checks import check_labels, check_number, check_tensor
from metrics.functional.clopper_pearson import clopper_pearson_lower

ABSTAIN = -1


@dataclass(frozen=True)
class SmoothedCertificate:
    """Prediction and radius of the smoothed classifier at every point."""

    prediction: Tensor  # (points,) class index, ABSTAIN where no class is certain enough
    radius: Tensor  # (points,) L2, in units of the input; 0 where abstained
    correct: Tensor  # (points,) bool
    guaranteed: bool  # True: holds with probability 1 - alpha per point; False: an estimate

    @property
    def abstained(self) -> int:
        """Number of points without a prediction."""
        return int((self.prediction == ABSTAIN).sum())

    def certified_accuracy(self, radii: Sequence[float] | Tensor) -> Tensor:
        """(radii,) share of points that are right and whose radius exceeds r.

        As in the published code, an estimate (`guaranteed` False) also counts a radius equal to r.
        """
        radius = self.radius.where(self.correct, torch.nan)
        return certified_curve(radius, radii, strict=self.guaranteed)

    def scalars(self) -> dict[str, float]:
        """Loggable numbers."""
        return {
            "accuracy": float(self.correct.double().mean()),
            "median_radius": float(self.radius.where(self.correct, 0.0).quantile(0.5)),
            "abstained": self.abstained / len(self.prediction),
        }


def smoothed_certificate(
    counts: Tensor, y: Tensor, sigma: float, selection: Tensor | None = None, alpha: float = 0.001
) -> SmoothedCertificate:
    """Certify the smoothed classifier g(x) = argmax_c P(f(x + sigma z) = c), z normal.

        R = sigma Phi^-1(p_low),  p_low = Clopper-Pearson bound of P(f(x + sigma z) = c)
        (Cohen, Rosenfeld & Kolter 2019, Alg. CERTIFY); abstain where p_low <= 1/2

    Reading it: with probability 1 - alpha per point, no perturbation shorter than R changes g. The
    number n of noisy copies limits the radius to sigma Phi^-1(alpha^(1/n)), .308 at sigma = 1/8,
    alpha = .001, n = 1000. Many abstentions mean that sigma is too large for the classifier.

    Args:
        counts: (points, classes) how often each class was predicted on the n noisy copies that
            estimate.
        y: (points,) true classes.
        sigma: Standard deviation of the noise, in units of the input.
        selection: (points, classes) counts over n0 separate noisy copies that choose the class.
            Without them the class is chosen by `counts` themselves and alpha is divided by their
            number (union bound): still sound, a little wider.
        alpha: Chance that a point's radius is wrong.

    Example:
        >>> counts, y = torch.tensor([[903, 97], [902, 98], [520, 480]]), torch.zeros(3)
        >>> found = smoothed_certificate(counts, y, sigma=1 / 8, selection=counts)
        >>> found.prediction.tolist(), found.certified_accuracy([36 / 255]).tolist()
        ([0, 0, -1], [0.333...])
    """
    y = check_counts(counts, y, sigma)
    if not 0 < check_number("alpha", alpha) < 1:
        raise ValueError(f"alpha={alpha} is the chance of a wrong radius: in (0, 1), 0.001 say")
    if selection is None:
        chosen, alpha = counts.argmax(1), alpha / counts.shape[1]
    else:
        check_counts(selection, y, sigma, "selection")
        if selection.shape != counts.shape:
            raise ValueError(
                f"selection has shape {tuple(selection.shape)} and counts {tuple(counts.shape)}; "
                "both count the same points and classes"
            )
        chosen = selection.argmax(1)
    hits = counts.gather(1, chosen[:, None])[:, 0]
    p_low = clopper_pearson_lower(hits, counts.sum(1), alpha)
    sure = p_low > 0.5
    return SmoothedCertificate(
        prediction=chosen.where(sure, ABSTAIN),
        radius=(sigma * torch.special.ndtri(p_low)).where(sure, 0.0),
        correct=sure & (chosen == y),
        guaranteed=True,
    )


def smoothed_estimate(
    counts: Tensor, y: Tensor, sigma: float, clip: float = 0.01
) -> SmoothedCertificate:
    """The radius as published for smoothing: frequencies taken as probabilities.

        R = sigma/2 (Phi^-1(p_1) - Phi^-1(p_2)),  p_1 of the true class, p_2 the largest other,
        both clipped to [.01, .99]        (Prach & Lampert 2025)

    Reading it: an estimate, no guarantee, and of the true class, not of the predicted class, which
    is the most frequent one. The clip limits R to sigma Phi^-1(.99), .2908 at sigma = 1/8. A radius
    of at least 0, ties included, counts as correct. Compare with `smoothed_certificate`, which has
    the same arguments.

    Example:
        >>> counts = torch.tensor([[1000, 0], [400, 600]])
        >>> smoothed_estimate(counts, torch.zeros(2), sigma=1 / 8).radius
        tensor([ 0.2908, -0.0317], dtype=torch.float64)
    """
    y = check_counts(counts, y, sigma)
    if not 0 < check_number("clip", clip) < 0.5:
        raise ValueError(f"clip={clip} must lie in (0, 0.5); the published value is 0.01")
    frequency = counts.double() / counts.sum(1, keepdim=True)
    true = y.long()[:, None]
    p_1 = frequency.gather(1, true)[:, 0].clamp(clip, 1 - clip)
    p_2 = frequency.scatter(1, true, 0.0).amax(1).clamp(clip, 1 - clip)
    radius = sigma / 2 * (torch.special.ndtri(p_1) - torch.special.ndtri(p_2))
    return SmoothedCertificate(counts.argmax(1), radius, correct=radius >= 0, guaranteed=False)


def check_counts(counts: Tensor, y: Tensor, sigma: float, name: str = "counts") -> Tensor:
    """Return the labels; ValueError unless `counts` is (points, classes >= 2), none all zero."""
    check_tensor(name, counts)
    if counts.ndim != 2 or counts.shape[1] < 2 or len(counts) == 0:
        raise ValueError(
            f"{name} has shape {tuple(counts.shape)}; need (points, classes), at least 2 classes"
        )
    whole = counts.isfinite() & (counts == counts.round()) if counts.is_floating_point() else True
    if not bool(torch.as_tensor(whole).all()):
        raise ValueError(f"{name} has fractions or NaN; count how often each class is predicted")
    if bool((counts < 0).any()) or bool((counts.sum(1) < 1).any()):
        raise ValueError(f"{name}: every point needs at least one count and none below 0")
    check_number("sigma", sigma, above=0, why="it is the noise that smooths")
    return check_labels("y", y, len(counts), counts.shape[1])
