"""Stand-in for MedMNIST: size and grain of organs depend on the class; published format."""

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from datamodules.readers.medmnist import MedMnist
from datamodules.standins.anatomy import column, coordinates, ellipsoid, texture


def write(
    root: Path,
    flag: str = "pneumoniamnist",
    pixels: int = 28,
    seed: int = 0,
    images: int = 4000,
    difficulty: float = 0.5,
) -> None:
    """Write the set `flag`: `images` for training, a tenth more each to validate and to test."""
    reader = MedMnist(root, flag=flag, pixels=pixels, download=False)  # type: ignore[arg-type]
    random = np.random.default_rng(seed)
    arrays: dict[str, Any] = {}
    for part, count in (("train", images), ("val", images // 10), ("test", images // 10)):
        names = reader.set.labels
        if flag == "chestmnist":
            labels = (random.random((count, len(names))) < 0.1).astype(np.uint8)
            kind, kinds = labels.any(axis=1).astype(int), 2
        else:
            kind, kinds = random.permutation(np.arange(count) % len(names)), len(names)
            labels = kind[:, None].astype(np.uint8)
        arrays[f"{part}_images"] = _draw(
            kind / (kinds - 1), reader.set.channels, pixels, random, difficulty
        )
        arrays[f"{part}_labels"] = labels
    name = f"{flag}.npz" if pixels == 28 else f"{flag}_{pixels}.npz"
    np.savez_compressed(root / name, **arrays)


def _draw(
    kind: np.ndarray, channels: int, pixels: int, random: np.random.Generator, difficulty: float
) -> np.ndarray:
    count = len(kind)
    level = kind + random.normal(0, 0.02 + 0.3 * difficulty, count)
    each = partial(column, random, count=count)
    radius = (0.3 + 0.3 * level.clip(-0.5, 1.5)).astype(np.float32)[:, None, None]
    centre = each(-0.2, 0.2), each(-0.2, 0.2)
    organ = ellipsoid(coordinates(pixels, pixels), centre, (radius, radius * each(0.8, 1.2)))
    grain = texture(random, (pixels, pixels), 7, count)
    gray = 0.25 + 0.4 * organ + 0.08 * grain * (1 + kind[:, None, None])
    picture = gray[..., None] * random.uniform(0.8, 1.2, (count, 1, 1, channels))
    picture = (picture * 255).clip(0, 255).astype(np.uint8)
    return picture if channels == 3 else picture[..., 0]
