"""Certified robust accuracy of a Lipschitz classifier: no attack within r can change the answer."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from metrics.functional.certified_curve import certified_curve, certified_names
from metrics.functional.checks import check_number, check_numbers
from metrics.functional.margin import margins


@dataclass(frozen=True)
class CertifiedAccuracyResult:
    """Certified robust accuracy at several radii."""

    radii: Tensor  # (radii,)
    accuracy: Tensor  # (radii,) CRA(r)
    mean_margin: float | None  # over points that have a margin; None if none has
    median_margin: float | None
    points: int
    undefined: int  # points with a NaN or infinite score: counted as not certified

    def scalars(self) -> dict[str, float]:
        """Loggable numbers, `cra@<k>` for radius k/255."""
        numbers = dict(zip(certified_names(self.radii), self.accuracy.tolist(), strict=True))
        for name in ("mean_margin", "median_margin"):
            if (value := getattr(self, name)) is not None:
                numbers[name] = value
        return numbers | {"undefined": float(self.undefined)}


def margin_thresholds(radius: float | Sequence[float] | Tensor, lipschitz: float) -> Tensor:
    """The margin that certifies each radius: (radii,) sqrt(2) L r.

    Each f_y - f_j is sqrt(2) L-Lipschitz if f is L-Lipschitz in L2, because |e_y - e_j| = sqrt(2).

    Example:
        >>> margin_thresholds([0.0, 1.0], lipschitz=2.0).tolist()
        [0.0, 2.828427...]
    """
    bound = check_number("lipschitz", lipschitz, above=0, why="the certificate depends on it")
    return math.sqrt(2) * bound * check_numbers("radius", radius, least=0)


def certified_radii(margin: Tensor, lipschitz: float) -> Tensor:
    """The L2 radius m / (sqrt(2) L) that each margin certifies; NaN if the class is wrong.

    Example:
        >>> import torch
        >>> certified_radii(torch.tensor([2.0, -1.0]), lipschitz=2**0.5).tolist()
        [1.0, nan]
    """
    bound = float(margin_thresholds(1.0, lipschitz))
    return (margin / bound).where(margin > 0, math.nan)


def certified_accuracy(
    scores: Tensor, y: Tensor, radius: float | Sequence[float] | Tensor, lipschitz: float
) -> CertifiedAccuracyResult:
    """Share of points whose class provably does not change within an L2 ball.

        CRA(r) = mean[ m(x, y) > sqrt(2) L r ]        (Prach & Lampert 2025, sec. 5)

    Reading it: CRA(0) is the accuracy, and CRA falls with r; at any r no attack can bring the
    accuracy below it, so PGD accuracy lies between CRA(r) and CRA(0). The inequality is strict: a
    tie, a NaN or an infinite score is never certified (taking the first of equal scores would
    certify a constant network). L must be an upper bound on the Lipschitz constant from input to
    scores, in the units of `radius`: power iteration gives a lower one and breaks the certificate.

    Args:
        scores: (points, classes).
        y: (points,) class indices.
        radius: One radius or several, in units of the input (36/255 for pixels in [0, 1]).
        lipschitz: L2 Lipschitz bound L of the scores; no default, because a guess certifies
            nothing.

    Example:
        >>> import torch
        >>> scores = torch.tensor([[2.0, 0.0], [1.0, 0.0], [0.0, 0.0], [0.0, 1.0]])
        >>> certified_accuracy(scores, torch.zeros(4), [0.0, 1.0], lipschitz=1).accuracy.tolist()
        [0.5, 0.25]
    """
    return certified_by_margins(margins(scores, y), radius, lipschitz)


def certified_by_margins(
    margin: Tensor, radius: float | Sequence[float] | Tensor, lipschitz: float
) -> CertifiedAccuracyResult:
    """`certified_accuracy` from `margins` (points,).

    Example:
        >>> import torch
        >>> found = certified_by_margins(torch.tensor([2.0, 1.0]), [0.0, 1.0], lipschitz=1)
        >>> found.accuracy.tolist()
        [1.0, 0.5]
    """
    thresholds = margin_thresholds(radius, lipschitz)
    known = margin[~margin.isnan()]
    return CertifiedAccuracyResult(
        radii=check_numbers("radius", radius, least=0),
        accuracy=certified_curve(margin, thresholds),
        mean_margin=float(known.mean()) if len(known) else None,
        median_margin=float(known.quantile(0.5)) if len(known) else None,
        points=len(margin),
        undefined=len(margin) - len(known),
    )
