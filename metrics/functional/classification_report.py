"""Scores of a classifier with intervals over patients, or over images without patients."""

from dataclasses import dataclass

import torch
from torch import Tensor

from metrics.functional.classification_scores import classification_scores, confusion
from metrics.functional.estimate import student_quantile

FEWEST_UNITS = 20  # with fewer, the interval held the truth in less than 93 % of simulations
WITHOUT_INTERVAL = ("calibration_error",)  # its bias is larger than its spread
CHUNK = 2e7  # weights at a time: 160 MB


@dataclass(frozen=True)
class ClassificationReport:
    """Scores by name, intervals of those that have one, and the confusion matrix."""

    values: dict[str, float]
    intervals: dict[str, tuple[float, float]]  # 95 %
    confusion: Tensor  # (C, C) images by true class (rows) and predicted class (columns)
    units: int  # number of groups, or of images without groups

    def scalars(self) -> dict[str, float]:
        """Values, and the ends of their intervals as `<name>_low` and `<name>_high`."""
        found = dict(self.values)
        for name, (low, high) in self.intervals.items():
            found |= {f"{name}_low": low, f"{name}_high": high}
        return found


def classification_report(
    probabilities: Tensor,
    labels: Tensor,
    groups: Tensor | None = None,
    draws: int = 1000,
    seed: int = 0,
    classes: int | None = None,
) -> ClassificationReport:
    r"""Scores with 95 % intervals by a bootstrap over groups.

        logit(score) +- t_{G-1} sqrt(G / (G - 1)) sd / (score (1 - score))

    with sd the standard deviation over resamples of the G groups (patients), each drawn with all
    its images. On the logit scale an interval stays inside (0, 1) and is longer towards 0.5.

    Reading it: the interval is over patients (or images) like those of the test set, for this one
    trained network; it does not include the spread over training seeds. There is none for fewer
    than 20 groups, for a score that no resample changes (every image right), and for the
    calibration error, whose bias is larger than its spread.

    Args:
        probabilities: (N, C), rows that sum to 1.
        labels: (N,) integers in 0..C-1.
        groups: (N,) integers, the patient of each image; None: every image is its own group.
        draws: number of resamples.
        seed: of the resamples.
        classes: of the data, if the network has more outputs; None: C.

    Example:
        >>> p = torch.tensor([[0.8, 0.2], [0.3, 0.7], [0.6, 0.4]]).repeat(20, 1)
        >>> report = classification_report(p, torch.tensor([0, 1, 1]).repeat(20))
        >>> low, high = report.intervals["accuracy"]
        >>> round(low, 2), round(report.values["accuracy"], 2), round(high, 2)
        (0.54, 0.67, 0.77)
    """
    scores = classification_scores(probabilities, labels, classes=classes)
    values = {name: float(value) for name, value in scores.items()}
    if groups is None:
        member = torch.arange(len(labels), device=labels.device)
    else:
        member = groups.unique(return_inverse=True)[1].to(labels.device)
    units = int(member.max()) + 1
    intervals = {}
    if units >= FEWEST_UNITS:
        resampled = _resamples(probabilities, labels, member, draws, seed, classes)
        for name, value in values.items():
            interval = _logit_interval(value, resampled[name], units)
            if interval is not None and name not in WITHOUT_INTERVAL:
                intervals[name] = interval
    counts = confusion(probabilities, labels).cpu()
    return ClassificationReport(values, intervals, counts, units)


def _resamples(
    probabilities: Tensor,
    labels: Tensor,
    member: Tensor,
    draws: int,
    seed: int,
    classes: int | None,
) -> dict[str, Tensor]:
    units = int(member.max()) + 1
    generator = torch.Generator().manual_seed(seed)
    rows = max(1, int(CHUNK / len(labels)))
    parts = []
    for start in range(0, draws, rows):
        count = min(rows, draws - start)
        picks = torch.randint(units, (count, units), generator=generator)
        weights = torch.zeros(count, units).scatter_add_(1, picks, torch.ones(count, units))
        chosen = weights.to(labels.device)[:, member]
        parts.append(classification_scores(probabilities, labels, chosen, classes))
    return {name: torch.cat([part[name] for part in parts]).cpu() for name in parts[0]}


def _logit_interval(value: float, resampled: Tensor, units: int) -> tuple[float, float] | None:
    known = resampled[~resampled.isnan()]
    spread = float(known.std()) if len(known) > 1 else 0.0
    too_few = len(known) < 0.95 * len(resampled)  # a class is missing from many resamples
    if too_few or spread == 0 or not 0 < value < 1:
        return None
    quantile = student_quantile(units - 1) * (units / (units - 1)) ** 0.5
    centre = torch.logit(torch.tensor(value, dtype=torch.float64))
    reach = quantile * spread / (value * (1 - value))
    return float(torch.sigmoid(centre - reach)), float(torch.sigmoid(centre + reach))
