"""How the distance to the nearest training image falls with their number (Prach & Lampert 2025)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log
from typing import Literal

import torch
from torch import Tensor

from metrics.functional.checks import check_choice, check_points, check_type, check_whole
from metrics.functional.neighbours import neighbours

Distance = Literal["l2", "angular"]
Statistic = Literal["median", "mean"]
BLOCK = 8192  # training images read at once


@dataclass(frozen=True)
class NeighbourScalingResult:
    """Nearest-neighbour distance against the number of training images, and its fits."""

    sizes: tuple[int, ...]  # training images n
    nearest: Tensor  # (sizes, test) float64: distance of each test point to the first n
    median: Tensor  # (sizes,) r*(n)
    mean: Tensor  # (sizes,)
    d_star: float  # of the power law r = C n^(-1/d*), by least squares of log r on log n
    C: float  # distance at n = 1
    log10_n_at_1: float  # log10 of n(r=1) = C^d*: images needed for a neighbour at distance 1
    linear_d_star: float  # of r = C (1 - log n / d*), by least squares of r on log n
    linear_c: float

    def scalars(self) -> dict[str, float]:
        """The fits, and r* at the largest n."""
        return {
            "d_star": self.d_star,
            "d_star_linear": self.linear_d_star,
            "log10_n_at_1": self.log10_n_at_1,
            "nearest_median": float(self.median[-1]),
            "nearest_mean": float(self.mean[-1]),
        }


def neighbour_scaling(
    train: Tensor,
    test: Tensor,
    sizes: Sequence[int],
    *,
    metric: Distance = "l2",
    statistic: Statistic = "median",
    fit_from: int = 1,
) -> NeighbourScalingResult:
    """r*(n) over the first n training images for every n in `sizes`, and d* of its power law.

        r*(n) = median_x min_{i<=n} ||x - x_i||_2 ~ C n^(-1/d*),     n(r=1) = C^d*

    All sizes come from one pass: nearest distances within blocks of new images, then a running
    minimum. "angular" takes arccos of the cosine similarity about the origin; subtract the mean
    first if angles should be about the mean.

    There is no interval: resampled test images do not include the order of the training images.
    Repeat with other orders (seeds) instead.

    Reading it: with d* about 28 for CIFAR-10 pixels, halving the distance takes 2^28 times the
    images. The fit depends on the range of n: set `fit_from`, and compare with `mle_dimension`.
    The linear form of the paper reads 30 % higher and is for comparison only.

    Args:
        train: (N, ...) training images in the order in which they are added.
        test: (T, ...) images whose nearest training image is sought.
        sizes: Numbers of training images, ascending, at least two of them from `fit_from` on.
        metric: "l2" or "angular" (radians).
        statistic: Over test images, for the fits.
        fit_from: Smallest n in the fits.

    Example:
        >>> points = torch.rand(4200, 2, generator=torch.Generator().manual_seed(0))
        >>> found = neighbour_scaling(points[200:], points[:200], sizes=[250, 1000, 4000])
        >>> round(found.d_star, 1)
        2.0
    """
    check_choice("metric", metric, Distance)
    check_choice("statistic", statistic, Statistic)
    check_whole("fit_from", fit_from, least=1)
    _check(train, test, sizes, fit_from)
    nearest = _nearest(train, test, sizes, metric)

    def curve(values: Tensor) -> Tensor:  # (..., test) -> (...)
        return _median(values) if statistic == "median" else values.mean(-1)

    used = [i for i, n in enumerate(sizes) if n >= fit_from]
    log_n = torch.tensor([log(sizes[i]) for i in used], dtype=torch.float64, device=nearest.device)
    r = curve(nearest)[used]
    if not (r > 0).all() or not r[-1] < r[0]:
        raise ValueError(
            f"r*(n) goes from {float(r[0]):g} to {float(r[-1]):g}; a fit needs it above 0 and "
            "falling: remove test images from train, add test images or widen sizes"
        )
    intercept, slope = _line(log_n, r.log())
    linear_intercept, linear_slope = _line(log_n, r)
    return NeighbourScalingResult(
        sizes=tuple(sizes),
        nearest=nearest,
        median=_median(nearest),
        mean=nearest.mean(1),
        d_star=float(-1 / slope),
        C=float(intercept.exp()),
        log10_n_at_1=float(-intercept / slope) / log(10),
        linear_d_star=float(-linear_intercept / linear_slope),
        linear_c=float(linear_intercept),
    )


def _nearest(train: Tensor, test: Tensor, sizes: Sequence[int], metric: Distance) -> Tensor:
    """Distance (sizes, test) of every test image to the nearest of the first n."""
    if metric == "angular":
        test = _directions(test, "test")
    edges = sorted({0, *sizes, *range(0, sizes[-1], BLOCK)})
    parts = []
    for start, stop in pairwise(edges):
        part = train[start:stop]
        if metric == "angular":
            part = _directions(part, "train")
        parts.append(neighbours(part, 1, query=test).distances[:, 0])
    running = torch.stack(parts).cummin(0).values  # (edges - 1, test)
    nearest = running[[edges.index(n) - 1 for n in sizes]]
    if metric == "angular":
        return 2 * torch.asin((nearest / 2).clamp_max(1))  # chord to angle, exact when small
    return nearest


def _check(train: Tensor, test: Tensor, sizes: Sequence[int], fit_from: int) -> None:
    check_points("train", train)
    check_points("test", test, train.shape[1:])
    check_type("sizes", sizes, Sequence)
    for n in sizes:
        check_whole("sizes", n, least=1)
    ascending = all(a < b for a, b in pairwise(sizes))
    if not sizes or not ascending or sizes[-1] > len(train):
        raise ValueError(f"sizes={list(sizes)} must ascend within 1..{len(train)} training images")
    if sum(n >= fit_from for n in sizes) < 2:
        raise ValueError(f"fewer than two of sizes={list(sizes)} are >= fit_from={fit_from}")


def _line(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Intercept and slope of the least-squares line through (x, y[..., :])."""
    centred = x - x.mean()
    slope = (y * centred).sum(-1) / (centred**2).sum()
    return y.mean(-1) - slope * x.mean(), slope


def _median(values: Tensor) -> Tensor:
    """Median over the last dimension; `torch.median` would take the lower of the middle two."""
    ordered, count = values.sort(-1).values, values.shape[-1]
    return (ordered[..., (count - 1) // 2] + ordered[..., count // 2]) / 2


def _directions(x: Tensor, name: str) -> Tensor:
    """Rows of length 1."""
    flat = x.flatten(1)
    flat = flat if flat.is_floating_point() else flat.float()
    if not flat.any(1).all():
        raise ValueError(f"{name} has an image of zeros, which has no angle; leave it out")
    if flat.dtype == torch.float64:  # squares of float32 stay within float64
        flat = flat / flat.abs().amax(1, keepdim=True)
    lengths = torch.linalg.vector_norm(flat, dim=1, keepdim=True, dtype=torch.float64)
    return (flat / lengths).to(flat.dtype)
