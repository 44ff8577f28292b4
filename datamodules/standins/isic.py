"""A stand-in for ISIC 2019: skin with a mole; naevi are round and even, the others are not."""

from pathlib import Path

import numpy as np
import pandas as pd

from datamodules.readers.isic import DIAGNOSES
from datamodules.standins.anatomy import column, coordinates, gray, texture
from datamodules.standins.pictures import write_picture

SKIN, MOLE = np.array([0.85, 0.65, 0.55]), np.array([0.45, 0.28, 0.2])


def write(
    root: Path, seed: int = 0, images: int = 2600, difficulty: float = 0.3, size: int = 64
) -> None:
    """Write colour JPEGs, the one-hot diagnoses and the metadata with blank lesion ids.

    `images` counts naevi and others, balanced; the others are ragged and blotchy.
    """
    random = np.random.default_rng(seed)
    n = images + 100
    kind = np.where(np.arange(n) % 2 == 0, 1, random.choice([0, 2, 3, 4, 5, 6, 7], n))
    truth, metadata = [], []
    for start in range(0, n, 512):
        part = kind[start : start + 512]
        pictures = gray(_moles(random, size, part != 1, difficulty))
        for i, picture in enumerate(pictures, start=start):
            name = f"ISIC_{i:07d}" + ("_downsampled" if i % 9 == 0 else "")
            write_picture(root / "ISIC_2019_Training_Input" / f"{name}.jpg", picture)
            truth.append((name, *np.eye(len(DIAGNOSES))[kind[i]]))
            # a lesion's second photograph has the same diagnosis: images two apart are of one kind
            lesion = f"HAM_{i // 4 * 2 + i % 2:07d}" if i % 20 < 16 else ""
            metadata.append((name, 55.0, "anterior torso", lesion, "female"))
    pd.DataFrame(truth, columns=["image", *DIAGNOSES]).to_csv(
        root / "ISIC_2019_Training_GroundTruth.csv", index=False
    )
    columns = ["image", "age_approx", "anatom_site_general", "lesion_id", "sex"]
    pd.DataFrame(metadata, columns=columns).to_csv(
        root / "ISIC_2019_Training_Metadata.csv", index=False
    )


def _moles(
    random: np.random.Generator, size: int, malign: np.ndarray, difficulty: float
) -> np.ndarray:
    """(count, size, size, 3) in [0, 1]."""
    n = len(malign)
    y, x = coordinates(size, size)
    y, x = y - column(random, -0.2, 0.2, n), x - column(random, -0.2, 0.2, n)
    wild = malign[:, None, None] * (1 - difficulty)
    ragged = sum(
        column(random, 0.3, 1, n) * np.cos(k * np.arctan2(y, x) + column(random, 0, 6.28, n))
        for k in (2, 3, 5, 7)
    )
    radius = column(random, 0.35, 0.55, n) * (1 + 0.18 * wild * ragged)
    inside = ((radius - np.hypot(y, x)) / 0.12 + 0.5).clip(0, 1)
    blotches = 0.15 * wild * texture(random, (size, size), 7, n)
    image = SKIN + 0.03 * texture(random, (size, size), 5, n)[..., None]
    image = image + (inside * column(random, 0.7, 1, n))[..., None] * (MOLE - SKIN)
    image = image + (inside * blotches)[..., None] * np.array([1, 0.8, 1.3])
    image += 0.015 * random.standard_normal(image.shape, np.float32)
    return image * column(random, 0.85, 1.05, n)[..., None]
