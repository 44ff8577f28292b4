"""Stand-in for SVHN: coloured digits between neighbours, in two .mat files."""

from pathlib import Path

import numpy as np
from scipy.io import savemat

from datamodules.standins.digit_drawings import draw_digits


def write(root: Path, seed: int = 0, images: int = 13000, difficulty: float = 0.5) -> None:
    """Write `images` for training, equally many of each digit, and a tenth more for the test."""
    random = np.random.default_rng(seed)
    for part, count in (("train", images), ("test", images // 10)):
        labels = random.permutation(np.arange(count) % 10)
        chunks = [labels[i : i + 512] for i in range(0, count, 512)]
        pictures = np.concatenate([_house_numbers(part, random, difficulty) for part in chunks])
        y = np.where(labels == 0, 10, labels).astype(np.uint8)[:, None]
        savemat(
            root / f"{part}_32x32.mat",
            {"X": pictures.transpose(1, 2, 3, 0), "y": y},
            do_compression=False,
        )


def _house_numbers(
    labels: np.ndarray, random: np.random.Generator, difficulty: float
) -> np.ndarray:
    def draw(low: float, high: float, channels: int) -> np.ndarray:
        return random.uniform(low, high, (len(labels), 1, 1, channels)).astype(np.float32)

    ink = draw_digits(labels, 32, random, difficulty)
    neighbours = np.roll(ink[random.permutation(len(ink))], 20, axis=2)
    ink = np.maximum(ink, neighbours * difficulty)[..., None]
    wall = draw(0, 1, 3)
    paint = wall + np.where(wall > 0.5, -1, 1) * draw(0.4, 0.9, 1) * (1 - 0.6 * difficulty)
    light = 1 + 0.3 * difficulty * np.linspace(-1, 1, 32, dtype=np.float32)[:, None, None]
    picture = (wall + (paint - wall) * ink) * light
    picture += random.standard_normal(picture.shape, np.float32) * (0.02 + 0.06 * difficulty)
    return (picture * 255).clip(0, 255).astype(np.uint8)
