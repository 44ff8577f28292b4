"""Intrinsic dimension of a set of points, by two estimators from one neighbour search."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from torch import Tensor

from metrics.functional.checks import check_choice, check_number, check_points, check_whole
from metrics.functional.mle_dimension import (
    Average,
    Denominator,
    MLEDimension,
    mle_dimension,
    neighbours_for_interval,
)
from metrics.functional.neighbours import neighbours
from metrics.functional.twonn_dimension import TwoNNDimension, twonn_dimension

T = TypeVar("T")
SPARE = 5  # neighbours searched beyond those needed: points with so many duplicates still count


@dataclass(frozen=True)
class IntrinsicDimensionResult:
    """Two estimates from one neighbour search; None for one that the points do not allow."""

    mle: MLEDimension | None
    twonn: TwoNNDimension | None
    missing: Mapping[str, str]  # the reason, under `d_mle` or `d_twonn`

    def scalars(self) -> dict[str, float]:
        """The estimates with their counts, by name."""
        known = [found for found in (self.mle, self.twonn) if found is not None]
        return {name: value for found in known for name, value in found.scalars().items()}


def intrinsic_dimension(
    x: Tensor,
    k: int = 20,
    denominator: Denominator = "k-1",
    average: Average = "harmonic",
    discard: float = 0.1,
) -> IntrinsicDimensionResult:
    """MLE and TwoNN dimension of a set of points; see `mle_dimension` and `twonn_dimension`.

    Reading it: when the two are far apart, one of them is biased, by near-duplicates (TwoNN low) or
    by a high dimension (MLE low). Up to k points allow TwoNN alone, which needs two neighbours;
    points that allow neither raise a ValueError.

    Args:
        x: (N, ...) images or features.
        k: Neighbours of the MLE.
        denominator: "k-1" (printed formula) or "k-2" (published code).
        average: "harmonic" or "arithmetic".
        discard: Share of the largest ratios that TwoNN leaves out.

    Example:
        >>> import torch
        >>> cube = torch.rand(500, 3, generator=torch.Generator().manual_seed(0))
        >>> found = intrinsic_dimension(cube, k=10)
        >>> round(found.mle.dimension, 1), round(found.twonn.dimension, 1)
        (2.7, 2.9)
        >>> intrinsic_dimension(cube[:15]).missing
        {'d_mle': 'k=20 neighbours need 21 points, not 15: use more points or a smaller k'}
    """
    check_whole("k", k, least=2)
    n = len(check_points("x", x))
    if n < 3:
        raise ValueError(f"{n} points: a dimension needs at least 3")
    check_choice("denominator", denominator, Denominator)
    check_choice("average", average, Average)
    if not 0 <= check_number("discard", discard) < 1:
        raise ValueError(f"discard={discard} of the ratios; it must be in [0, 1)")
    found = neighbours(x, min(neighbours_for_interval(k, n) + SPARE, n - 1))
    missing: dict[str, str] = {}

    def mle() -> MLEDimension:
        if n <= k:
            raise ValueError(
                f"k={k} neighbours need {k + 1} points, not {n}: use more points or a smaller k"
            )
        return mle_dimension(found, k, denominator, average)

    def attempt(name: str, estimate: Callable[[], T]) -> T | None:
        try:
            return estimate()
        except ValueError as error:
            missing[name] = str(error)
            return None

    result = IntrinsicDimensionResult(
        attempt("d_mle", mle),
        attempt("d_twonn", lambda: twonn_dimension(found, discard)),
        missing,
    )
    if len(missing) == 2:
        raise ValueError("; ".join(f"{name}: {reason}" for name, reason in missing.items()))
    return result
