"""Textured objects on textured backgrounds; the class determines shape, colour and stripes."""

from functools import partial

import numpy as np

from datamodules.standins.anatomy import column

CHUNK = 256


def objects(
    labels: np.ndarray,
    size: int,
    random: np.random.Generator,
    difficulty: float = 0.5,
    channels: int = 3,
    ground: float = 1.0,
) -> np.ndarray:
    """Pictures of (N, size, size, 3) or, with one channel, (N, size, size) uint8.

    An object of class k (only 0 to 9 differ) is a rosette r(t) = r0 (1 + a cos((2 + k mod 4) t)) in
    the hue k / 10 with stripes of period 3 + k mod 3 cycles, at a random position, size and
    rotation, on a smooth background of brightness `ground`.
    """
    chunks = [labels[i : i + CHUNK] for i in range(0, len(labels), CHUNK)]
    settings = (size, random, difficulty, channels, ground)
    return np.concatenate([_chunk(chunk, *settings) for chunk in chunks])


def _chunk(
    labels: np.ndarray,
    size: int,
    random: np.random.Generator,
    difficulty: float,
    channels: int,
    ground: float,
) -> np.ndarray:
    draw = partial(column, random, count=len(labels))
    kind = labels[:, None, None].astype(np.float32)
    axis = np.linspace(-1, 1, size, dtype=np.float32)
    x, y = axis[None, None, :] - draw(-0.3, 0.3), axis[None, :, None] - draw(-0.3, 0.3)
    turn = draw(0, 2 * np.pi)
    radius, angle = np.hypot(x, y), np.arctan2(y, x) + turn
    outline = draw(0.4, 0.7) * (1 + draw(0.1, 0.35) * np.cos((2 + kind % 4) * angle))
    mask = ((outline - radius) * size / 4).clip(0, 1)  # an edge two pixels wide
    along = x * np.cos(turn) + y * np.sin(turn)
    stripes = 0.5 + 0.5 * np.cos(np.pi * (3 + kind % 3) * along)
    hue = kind / 10 + draw(-1, 1) * 0.25 * difficulty
    contrast = (1 - 0.7 * difficulty) * draw(0.6, 1.0)
    phases = np.arange(channels, dtype=np.float32) / 3
    colour = 0.6 + 0.4 * np.cos(2 * np.pi * (hue[..., None] + phases))
    surface = colour * (0.5 + 0.5 * stripes[..., None])
    behind = ground * _smooth(len(labels), size, channels, random)
    picture = behind + contrast[..., None] * mask[..., None] * (surface - behind)
    noise = random.standard_normal(picture.shape, dtype=np.float32) * (0.02 + 0.06 * difficulty)
    pixels = ((picture + noise) * 255).clip(0, 255).astype(np.uint8)
    return pixels if channels == 3 else pixels[..., 0]


def _smooth(count: int, size: int, channels: int, random: np.random.Generator) -> np.ndarray:
    """Backgrounds: 5 x 5 random colours, rather pale, interpolated."""
    shade = random.uniform(0.1, 0.9, (count, 5, 5, 1)).astype(np.float32)
    tint = random.uniform(-0.2, 0.2, (count, 5, 5, channels)).astype(np.float32)
    coarse = shade + tint
    place = np.linspace(0, 4, size, dtype=np.float32)
    weights = (1 - np.abs(place[:, None] - np.arange(5, dtype=np.float32))).clip(0)
    return np.einsum("iy,nyxc,jx->nijc", weights, coarse, weights, optimize=True)
