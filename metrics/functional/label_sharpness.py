"""Label sharpness K_F: how close images with different labels come (Konz & Mazurowski 2024)."""

import math
from dataclasses import dataclass, replace
from typing import Literal

import torch
from torch import Tensor

from metrics.functional.balanced_draws import balanced_draws
from metrics.functional.checks import check_choice, check_labels, check_number, check_whole
from metrics.functional.closest_pairs import ClosestPair
from metrics.functional.estimate import Estimate
from metrics.functional.matched_pairs import closest_of, matched_pairs
from metrics.functional.opposite_pairs import all_pairs
from metrics.functional.sharpness_interval import sharpness_interval
from metrics.functional.squared_distances import Points

Pairs = Literal["all", "random", "inverted"]
NAMED = 10  # pairs of equal images that the result lists


@dataclass(frozen=True)
class LabelSharpnessResult:
    """Label sharpness of a labelled set of images, or its mean over draws from the set."""

    value: float  # in 1 / units of x; infinite if equal images have different labels
    rms: float  # value for pixels of range 1, times sqrt(D): free of unit, size and channels
    low: float  # 95 % interval over new samples of the same population; NaN: not known
    high: float
    finite: float | None  # without the zero-distance pairs; None if all are such
    between_groups: float | None  # finite value of pairs of different groups; None without groups
    zero_pairs: int  # different pairs of equal images with different labels
    equal: tuple[tuple[int, int], ...]  # rows of x: the first ten of those, which make K_F infinite
    pair: tuple[int, int]  # rows of x: closest pair over all draws; equal images if there are any
    per_draw: Tensor  # (draws,) float64 values; one without draws

    @property
    def population(self) -> Estimate:
        """The value with its interval over new samples."""
        return Estimate(self.value, self.low, self.high)

    def rescaled(self, factor: float) -> "LabelSharpnessResult":
        """The result for images multiplied by `factor`: 255 gives K_F of [0, 1] per grey level.

        >>> found = label_sharpness(torch.tensor([[0.0], [0.5]]), torch.tensor([0, 1]))
        >>> found.value, found.rescaled(4).value, found.rms == found.rescaled(4).rms
        (2.0, 0.5, True)
        """
        names = ("value", "low", "high", "finite", "between_groups", "per_draw")
        known = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        return replace(self, **{name: value / factor for name, value in known.items()})

    def scalars(self) -> dict[str, float]:
        """All but the pair; interval, `finite` and `between_groups` where they are known."""
        numbers = {
            "k_f": self.value,
            "k_f_rms": self.rms,
            "k_f_zero_pairs": float(self.zero_pairs),
        }
        if self.population.known:
            numbers |= {"k_f_low": self.low, "k_f_high": self.high}
        sometimes = {"k_f_finite": self.finite, "k_f_between_groups": self.between_groups}
        return numbers | {name: value for name, value in sometimes.items() if value is not None}


def label_sharpness(
    x: Tensor,
    y: Tensor,
    groups: Tensor | None = None,
    *,
    value_range: float | None = 1.0,
    draws: int = 0,
    sample: int = 1000,
    pairs: Pairs = "all",
    seed: int = 0,
) -> LabelSharpnessResult:
    """Largest 1[y_j != y_k] / ||x_j - x_k||_2 over pairs of images.

        K_F = max_{j,k} 1[y_j != y_k] / ||x_j - x_k||_2                    (Konz 2024, Eqs. 1 and 6)

    exact over all pairs. With `draws` it is the mean over that many class-balanced samples of M
    images, the paper's way (M = 1000, 25 draws).

    The interval is of the median over new samples of the population (`sharpness_interval`): a
    maximum over pairs is one draw of a wide law, and draws from one pool repeat its closest pairs.

    Reading it: high means that a small change of the image changes its label, so the task is hard
    and a network that solves it fragile. It grows with the number of images as M^(2/d): compare at
    equal M. One mislabelled duplicate makes it infinite, and close slices of one patient raise it:
    look at the images in `equal`, and at `between_groups`.

    Args:
        x: (N, ...) images.
        y: (N,) labels.
        groups: (N,) patients or volumes; pairs within a group are left out of `between_groups`.
        value_range: Width of the pixel range x is in, 1 or 255; used by `rms` alone. None: x has no
            range, and `rms` is `value` times sqrt(D).
        draws: Number of samples; 0 uses all images once.
        sample: Images M of a draw.
        pairs: "all"; or "random", the published code's way: the images in two random orders, cut
            into batches, each batch of one paired elementwise with each batch of the other; or
            "inverted", the same pairs with 1[y_j = y_k] for numerator, as in its last release: the
            closest two images of one class, which does not depend on how labels differ.
        seed: Of draws and random pairs.

    Example:
        >>> x = torch.tensor([[0.0, 0.0], [0.0, 1.0], [0.3, 0.4], [1.0, 1.0]])
        >>> found = label_sharpness(x, torch.tensor([0, 0, 1, 1]))
        >>> round(found.value, 4), found.pair, found.zero_pairs
        (2.0, (0, 2), 0)
    """
    check_choice("pairs", pairs, Pairs)
    check_whole("draws", draws, least=0)
    check_whole("sample", sample, least=1)
    points = Points(x)
    y = check_labels("y", y, len(points))
    groups = None if groups is None else check_labels("groups", groups, len(points))
    if len(torch.unique(y)) < 2:
        raise ValueError(f"all {len(y)} labels are {y[0].item()}; sharpness needs two classes")
    if value_range is not None:
        _check_span(points, check_number("value_range", value_range, above=0))
    generator = torch.Generator().manual_seed(seed)
    everyone = torch.arange(len(points), device=x.device)
    samples = balanced_draws(y, draws, sample, generator) if draws else [everyone]

    def opposite(i: Tensor, j: Tensor) -> Tensor:
        return (y[i] == y[j]) & (i != j) if pairs == "inverted" else y[i] != y[j]

    def between(i: Tensor, j: Tensor) -> Tensor:
        return opposite(i, j) & (groups[i] != groups[j]) if groups is not None else opposite(i, j)

    if pairs == "all":
        rules = [None] if groups is None else [None, between]  # tiles have opposite pairs alone
        found, nearest = all_pairs(points, y, samples, rules)
    else:
        tests = [opposite] if groups is None else [opposite, between]
        chosen = [matched_pairs(index, generator) for index in samples]
        found = [[closest_of(points, i, j, test(i, j)) for test in tests] for i, j in chosen]
    closest, *apart = (list(column) for column in zip(*found, strict=True))
    result = _summary(
        closest, apart[0] if apart else [], (value_range or 1.0) * points.dimension**0.5
    )
    if pairs != "all" or result.zero_pairs:
        return result  # no interval of random pairs reaches its coverage, nor of an infinite value
    kept = _opposites(y[samples[0]]) / _opposites(y)
    interval = sharpness_interval(result.value, nearest, max(draws, 1), kept)
    return replace(result, low=interval.low, high=interval.high)


def _check_span(points: Points, value_range: float) -> None:
    if points.high - points.low > value_range * (1 + 1e-6):
        raise ValueError(
            f"x spans {points.low:g}..{points.high:g}, more than value_range={value_range:g}; "
            "pass the width of the pixel range, 255 for uint8 images"
        )


def _opposites(y: Tensor) -> float:
    """Number of pairs of different labels."""
    counts = torch.unique(y, return_counts=True)[1].double()
    return float(counts.sum() ** 2 - (counts**2).sum()) / 2


def _summary(
    closest: list[ClosestPair], apart: list[ClosestPair], to_rms: float
) -> LabelSharpnessResult:
    if any(not found.zeros and found.distance == torch.inf for found in closest + apart):
        raise ValueError(
            "a draw has no pair of different labels (and groups, where given) to compare; "
            "use more images, pairs='all', or leave groups out"
        )
    values = torch.tensor(
        [torch.inf if found.zeros else 1 / found.distance for found in closest],
        dtype=torch.float64,
    )
    value = float(values.mean())
    zero_pairs: set[tuple[int, int]] = set().union(*(found.zeros for found in closest))
    equal = tuple(sorted(zero_pairs)[:NAMED])
    return LabelSharpnessResult(
        value=value,
        rms=value * to_rms,
        low=math.nan,
        high=math.nan,
        finite=_finite_mean(closest),
        between_groups=_finite_mean(apart),
        zero_pairs=len(zero_pairs),
        equal=equal,
        pair=equal[0] if equal else min(closest, key=lambda found: found.distance).pair,
        per_draw=values,
    )


def _finite_mean(closest: list[ClosestPair]) -> float | None:
    """Mean sharpness over draws without the zero distances; None if there are no others."""
    values = [1 / found.distance for found in closest if found.distance < torch.inf]
    return sum(values) / len(values) if values else None
