"""How robust a 1-nearest-neighbour classifier provably is at every point."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from metrics.functional.certified_curve import certified_curve
from metrics.functional.checks import check_labels, check_number, check_points, check_whole

QUERY_BLOCK, TRAIN_BLOCK = 1024, 4096  # 32 MB of float64 distances at a time
BLOCK_VALUES = 2**24  # of a block in float64: 128 MB, less than QUERY_BLOCK images of 224 x 224 x 3


@dataclass(frozen=True)
class NeighbourCertificateResult:
    """Certified radii of the 1-NN classifier; not positive means wrong or tied."""

    same: Tensor  # (points,) distance to the nearest training point of the true class
    other: Tensor  # (points,) distance to the nearest one of any other class
    radius: Tensor  # (points,) triangle bound (other - same) / 2
    sharp_radius: Tensor | None  # (points,) bisector bound, at least as large; L2 only

    @property
    def unseen(self) -> int:
        """Points whose class has no training point: they count as wrong."""
        return int(self.same.isinf().sum())

    def certified_accuracy(self, radii: Sequence[float] | Tensor, sharp: bool = True) -> Tensor:
        """(radii,) share of points certified at each radius, by the sharper bound if known."""
        best = self.sharp_radius if sharp and self.sharp_radius is not None else self.radius
        return certified_curve(best, radii)

    def scalars(self) -> dict[str, float]:
        """Loggable numbers."""
        numbers = {
            "accuracy": float((self.same < self.other).double().mean()),
            "median_radius": float(self.radius.quantile(0.5)),
            "unseen": float(self.unseen),
        }
        if self.sharp_radius is not None:
            numbers["median_sharp_radius"] = float(self.sharp_radius.quantile(0.5))
        return numbers


def nearest_neighbour_certificate(
    x: Tensor,
    y: Tensor,
    train_x: Tensor,
    train_y: Tensor,
    p: float = 2.0,
    candidates: int = 1,
) -> NeighbourCertificateResult:
    """Two lower bounds of the distance at which 1-NN changes its correct prediction.

        triangle:  (d_other - d_same) / 2,  as -dist(x, class) is 1-Lipschitz in any norm
        bisector:  max_i min_j (d_j^2 - d_i^2) / (2 ||x_i - x_j||),  i of the class, j of another,
                   the distance to the plane between x_i and x_j (L2)

    Reading it: both are sound, bisector >= triangle where positive, and the exact radius is at
    least as large. A network that certifies less than 1-NN has lost robustness that the training
    images contain. Exact duplicates with opposite labels tie and are not certified.

    Args:
        x: (points, ...) inputs to certify.
        y: (points,) their true classes.
        train_x: (n, ...) training inputs.
        train_y: (n,) training classes, at least two.
        p: The norm; the bisector bound exists for p = 2 alone.
        candidates: How many nearest x_i of the class the bisector bound tries; any number is
            sound, n is the full maximum, and each costs one more pass over the training set.

    Example:
        >>> x, train = torch.tensor([[0.0, 0.0]]), torch.tensor([[1.0, 0.0], [0.0, 3.0]])
        >>> found = nearest_neighbour_certificate(x, torch.tensor([0]), train, torch.tensor([0, 1]))
        >>> found.radius.item(), found.sharp_radius.item()   # 8 / (2 sqrt(10)): exact here
        (1.0, 1.26491...)
    """
    _check(x, y, train_x, train_y, p, candidates)
    x, train_x, scale = _in_range(x, train_x)
    training = _Training(train_x.flatten(1), train_y)
    parts = []
    for block in _blocks(x, QUERY_BLOCK):
        points = x[block].flatten(1).double() - training.mean
        parts.append(_certify(points, y[block], training, p, candidates))
    same, other, radius, sharp = (scale * torch.cat(column) for column in zip(*parts, strict=True))
    return NeighbourCertificateResult(same, other, radius, sharp if p == 2 else None)


def _in_range(x: Tensor, train_x: Tensor) -> tuple[Tensor, Tensor, float]:
    """Both sets, divided by their largest value if squares would overflow, and that value."""
    largest = max(abs(float(end)) for part in (x, train_x) for end in part.aminmax())
    if largest == 0 or 1e-100 < largest < 1e100:
        return x, train_x, 1.0
    return x.double() / largest, train_x.double() / largest, largest


def _blocks(x: Tensor, most: int) -> Iterator[slice]:
    """Slices of at most `most` rows and `BLOCK_VALUES` values."""
    rows = min(most, max(1, BLOCK_VALUES // x[0].numel()))
    return (slice(start, start + rows) for start in range(0, len(x), rows))


class _Training:
    """Training points, centred and converted to float64 block by block."""

    def __init__(self, x: Tensor, y: Tensor) -> None:
        self.x, self.y = x, y
        # Centring keeps float64 products exact to 1e-16 of the spread, not of the mean image.
        total = torch.zeros(x.shape[1], dtype=torch.float64, device=x.device)
        for block in _blocks(x, TRAIN_BLOCK):
            total += x[block].double().sum(0)
        self.mean = total / len(x)

    def __len__(self) -> int:
        return len(self.x)

    def rows(self, index: slice | Tensor) -> Tensor:
        return self.x[index].to(torch.float64, copy=True).sub_(self.mean)

    def blocks(self) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
        """Indices, points and labels of each block."""
        everything = torch.arange(len(self), device=self.x.device)
        for block in _blocks(self.x, TRAIN_BLOCK):
            yield everything[block], self.rows(block), self.y[block]


def _certify(
    x: Tensor, y: Tensor, training: _Training, p: float, candidates: int
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    count = min(candidates, len(training))
    same = torch.full((len(x), count), math.inf, dtype=torch.float64, device=x.device)
    same_index = torch.zeros((len(x), count), dtype=torch.long, device=x.device)
    other, other_index = same[:, :1], same_index[:, :1]
    for index, block, labels in training.blocks():
        distance = torch.cdist(x, block, p=p)
        own = labels == y[:, None]
        same, same_index = _merge(same, same_index, distance.where(own, math.inf), index)
        other, other_index = _merge(other, other_index, distance.where(~own, math.inf), index)

    # Recompute the nearest by differences: products give 1e-8 instead of 0 for duplicates.
    d_same = torch.linalg.vector_norm(x - training.rows(same_index[:, 0]), ord=p, dim=1)
    d_same = d_same.where(same[:, 0].isfinite(), math.inf)
    d_other = torch.linalg.vector_norm(x - training.rows(other_index[:, 0]), ord=p, dim=1)
    triangle = (d_other - d_same) / 2
    if p != 2:
        return d_same, d_other, triangle, triangle
    sharp = triangle
    for c in range(count):
        bound = _bisector_bound(x, y, training, same_index[:, c], same[:, c])
        sharp = torch.maximum(sharp, bound.where(same[:, c].isfinite(), -math.inf))
    return d_same, d_other, triangle, sharp.where(triangle > 0, triangle)  # a tie stays a tie


def _bisector_bound(x: Tensor, y: Tensor, training: _Training, i: Tensor, d_i: Tensor) -> Tensor:
    """Distance to the nearest plane between x_i, one per point, and a point of another class."""
    x_i = training.rows(i)
    bound = torch.full_like(d_i, math.inf)
    for _, block, labels in training.blocks():
        gap = torch.cdist(x, block).square() - d_i[:, None].square()
        between = torch.cdist(x_i, block)
        plane = (gap / (2 * between)).where(between > 0, 0.0)  # a duplicate of x_i ties with it
        bound = torch.minimum(bound, plane.where(labels != y[:, None], math.inf).amin(1))
    return bound


def _merge(
    best: Tensor, best_index: Tensor, distance: Tensor, index: Tensor
) -> tuple[Tensor, Tensor]:
    merged, place = torch.cat([best, distance], 1).topk(best.shape[1], largest=False)
    return merged, torch.cat([best_index, index.expand_as(distance)], 1).gather(1, place)


def _check(
    x: Tensor, y: Tensor, train_x: Tensor, train_y: Tensor, p: float, candidates: int
) -> None:
    check_points("x", x)
    check_points("train_x", train_x, x.shape[1:])
    check_labels("y", y, len(x))
    check_labels("train_y", train_y, len(train_x))
    if bool((train_y == train_y[:1]).all()):
        raise ValueError(
            f"all {len(train_y)} training labels are {int(train_y[0])}; a certificate needs two "
            "classes"
        )
    check_whole("candidates", candidates, least=1)
    if not (isinstance(p, float) and p == math.inf):
        check_number("p", p, least=1)
