"""Digits drawn with a typeface, turned, shifted, scaled and blurred."""

from functools import cache, partial

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from datamodules.standins.anatomy import column

LARGE = 128  # pixels of the drawing that is then turned and shrunk
CHUNK = 1024


def draw_digits(
    labels: np.ndarray, size: int, random: np.random.Generator, difficulty: float = 0.5
) -> np.ndarray:
    """Ink of (N, size, size) float32 in [0, 1].

    Difficulty 0 is upright and centred, 1 turned by up to 30 degrees, shifted and bent.
    """
    draws = [labels[i : i + CHUNK] for i in range(0, len(labels), CHUNK)]
    return np.concatenate([_chunk(part, size, random, difficulty) for part in draws])


def _chunk(
    labels: np.ndarray, size: int, random: np.random.Generator, difficulty: float
) -> np.ndarray:
    draw = partial(column, random, count=len(labels))
    axis = np.linspace(-1, 1, size, dtype=np.float32)
    x, y = axis[None, None, :], axis[None, :, None]
    turn = draw(-0.5, 0.5) * difficulty
    u = (np.cos(turn) * x - np.sin(turn) * y) * (1 + draw(-0.25, 0.25) * difficulty)
    v = (np.sin(turn) * x + np.cos(turn) * y) * (1 + draw(-0.25, 0.25) * difficulty)
    u = u + (draw(-0.5, 0.5) * y + draw(-0.5, 0.5) * y**2 + draw(-0.2, 0.2)) * difficulty
    v = v + draw(-0.2, 0.2) * difficulty
    # nearest pixel of a drawing four times as fine: as smooth as interpolating, and faster
    down, across = (((w + 1) * (LARGE / 2)).astype(np.int32).clip(0, LARGE - 1) for w in (v, u))
    glyphs = np.stack([_glyph(digit) for digit in range(10)])
    ink = glyphs[labels[:, None, None], down, across]
    return (ink * draw(0.7, 1.6)).clip(0, 1)


@cache
def _glyph(digit: int) -> np.ndarray:
    image = Image.new("L", (LARGE, LARGE))
    font = ImageFont.load_default(size=LARGE * 0.85)
    draw = ImageDraw.Draw(image)
    draw.text((LARGE / 2, LARGE / 2), str(digit), fill=255, font=font, anchor="mm")
    return np.asarray(image.filter(ImageFilter.GaussianBlur(2)), np.float32) / 255
