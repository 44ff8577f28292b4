"""The sampling half of randomized smoothing: a classifier's predictions under Gaussian noise."""

import hashlib
from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor


class SmoothingCounts(NamedTuple):
    """How often each class was predicted, on two independent sets of noisy copies."""

    selection: Tensor  # (points, classes) of the first n0 copies: they choose the class
    counts: Tensor  # (points, classes) of the next n copies: they bound its probability


def smoothing_counts(
    classify: Callable[[Tensor], Tensor],
    x: Tensor,
    sigma: float,
    classes: int,
    n: int = 1000,
    n0: int = 100,
    seed: int = 0,
    batch: int = 1000,
    indices: Tensor | None = None,
) -> SmoothingCounts:
    """Count the predictions of `classify` on noisy copies of every point.

        counts_c(x) = #{t <= n : f(x + sigma z_t) = c},  z_t standard normal

    Reading it: the input of `smoothed_certificate` (both) or `smoothed_estimate` (`counts` alone).
    Every point has its own noise, a function of (seed, index), so the counts do not depend on how
    points are divided over processes. `batch` limits the memory and changes the noise.

    Args:
        classify: (copies, ...) inputs to (copies,) class indices, in eval mode.
        x: (points, ...) inputs.
        sigma: Standard deviation of the noise, in units of the input.
        classes: Number of classes.
        n: Noisy copies that estimate; sigma = 1/8 and r = 36/255 need 903 hits of 1000 to certify.
        n0: Noisy copies that choose the class.
        seed: Of the noise.
        batch: Noisy copies per call of `classify`.
        indices: (points,) index of each point in its data set; 0, 1, 2... if not given.

    Example:
        >>> def sign(copies):
        ...     return (copies[:, 0] > 0).long()
        >>> x = torch.tensor([[9.0], [-9.0]])
        >>> smoothing_counts(sign, x, sigma=1, classes=2, n=5, n0=3).counts
        tensor([[0, 5],
                [5, 0]])
    """
    if n < 1 or n0 < 0 or batch < 1 or classes < 2 or not sigma > 0 or len(x) == 0:
        raise ValueError(
            f"n={n}, n0={n0}, batch={batch}, classes={classes}, sigma={sigma}, {len(x)} points; "
            "need n, batch >= 1, n0 >= 0, classes >= 2, sigma > 0 and a point"
        )
    places = range(len(x)) if indices is None else indices.tolist()
    rows = []
    for point, place in zip(x, places, strict=True):
        generator = torch.Generator(x.device).manual_seed(_noise_seed(seed, place))
        predicted = _noisy_predictions(classify, point, sigma, n0 + n, batch, generator)
        if predicted.min() < 0 or predicted.max() >= classes:
            raise ValueError(
                f"classify returned class {int(predicted.max())}, but classes={classes}; "
                f"it must return indices in 0..{classes - 1}"
            )
        rows.append(
            [predicted[:n0].bincount(minlength=classes), predicted[n0:].bincount(minlength=classes)]
        )
    selection, counts = zip(*rows, strict=True)
    return SmoothingCounts(torch.stack(selection), torch.stack(counts))


@torch.no_grad()
def _noisy_predictions(
    classify: Callable[[Tensor], Tensor],
    point: Tensor,
    sigma: float,
    copies: int,
    batch: int,
    generator: torch.Generator,
) -> Tensor:
    """Predictions of `classify` on noisy copies of one point: (copies,) int64."""
    predicted = []
    for start in range(0, copies, batch):
        count = min(batch, copies - start)
        noise = torch.randn(
            count, *point.shape, generator=generator, dtype=point.dtype, device=point.device
        )
        classes = classify(point + sigma * noise)
        if classes.shape != (count,) or classes.is_floating_point():
            raise ValueError(
                f"classify returned {classes.dtype} of shape {tuple(classes.shape)} for {count} "
                "inputs; it must return one class index each (scores.argmax(1))"
            )
        predicted.append(classes.long())
    return torch.cat(predicted)


def _noise_seed(seed: int, index: int) -> int:
    # A digest keeps (seed 0, point 1) and (seed 1, point 0) apart, which a sum would not.
    digest = hashlib.sha256(f"smoothing/{seed}/{index}".encode()).digest()
    return int.from_bytes(digest[:7], "big")
