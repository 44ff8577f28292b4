"""Shapes and textures of generated stand-in images."""

from collections.abc import Sequence
from functools import reduce

import numpy as np

Number = float | np.ndarray


def coordinates(*shape: int) -> list[np.ndarray]:
    """One array per axis, running from -1 to 1, ready to broadcast: (y, x) or (z, y, x)."""
    lines = [np.linspace(-1, 1, n, dtype=np.float32) for n in shape]
    return list(np.meshgrid(*lines, indexing="ij", sparse=True))


def ellipsoid(
    axes: Sequence[np.ndarray],
    centre: Sequence[Number] | np.ndarray,
    radii: Sequence[Number] | np.ndarray,
    edge: float = 0.15,
) -> np.ndarray:
    """1 inside, 0 outside, with an edge as wide as this share of the radius.

    `axes` come from `coordinates`; centre and radii are per axis, and arrays of shape
    (count, 1, 1) make `count` images at once.
    """
    parts = (((axis - c) / r) ** 2 for axis, c, r in zip(axes, centre, radii, strict=True))
    squared = reduce(np.add, parts)
    return ((1 + edge / 2 - np.sqrt(squared)) / edge).clip(0, 1).astype(np.float32)


def texture(
    random: np.random.Generator, shape: Sequence[int], cells: int, count: int | None = None
) -> np.ndarray:
    """Smooth noise of deviation 1: normal values on a grid of `cells` per axis, interpolated.

    `shape` is that of one image or volume; `count=None` makes one, without a leading axis.
    """
    noise = random.standard_normal((count or 1, *([cells + 1] * len(shape))), dtype=np.float32)
    for axis, n in enumerate(shape, start=1):
        noise = np.moveaxis(np.tensordot(noise, _linear(cells + 1, n), (axis, 0)), -1, axis)
    noise /= noise.std() or 1
    return noise if count else noise[0]


def column(random: np.random.Generator, low: float, high: float, count: int) -> np.ndarray:
    """One uniform number per image, shaped (count, 1, 1)."""
    return random.uniform(low, high, (count, 1, 1)).astype(np.float32)


def gray(image: np.ndarray, top: int = 255) -> np.ndarray:
    """[0, 1] to integers 0..top, as uint8 where they fit."""
    kind = np.uint8 if top < 256 else np.uint16
    return np.round(image.clip(0, 1) * top).astype(kind)


def _linear(cells: int, n: int) -> np.ndarray:
    """(cells, n): weights that interpolate `cells` values at n positions."""
    place = np.linspace(0, cells - 1, n, dtype=np.float32)
    return (1 - np.abs(place[None] - np.arange(cells, dtype=np.float32)[:, None])).clip(0)
