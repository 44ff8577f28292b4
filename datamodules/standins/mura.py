"""A stand-in for MURA: long bones in soft tissue; abnormal ones are broken and displaced."""

from pathlib import Path

import numpy as np

from datamodules.standins.anatomy import column, coordinates, ellipsoid, gray, texture
from datamodules.standins.pictures import write_picture

BONES = {"SHOULDER": 1, "HUMERUS": 1, "ELBOW": 2, "FINGER": 1, "FOREARM": 2, "HAND": 4, "WRIST": 3}


def write(
    root: Path, seed: int = 0, images: int = 2600, difficulty: float = 0.3, size: int = 64
) -> None:
    """Write studies of two images, grey and RGB files mixed, patients in several regions.

    `images` counts those of the shoulder, balanced; other regions have a tenth each.
    """
    random = np.random.default_rng(seed)
    paths, studies = [], []
    for region, bones in BONES.items():
        count = (images + 120 if region == "SHOULDER" else images // 10) // 2
        positive = np.arange(count) < count // 2  # as in the real list
        pixels = gray(_limbs(random, size, bones, np.repeat(positive, 2), difficulty))
        for s, abnormal in enumerate(positive):
            label = "positive" if abnormal else "negative"
            study = f"MURA-v1.1/train/XR_{region}/patient{s + 1:05d}/study1_{label}/"
            studies.append(f"{study},{int(abnormal)}")
            for k in (0, 1):
                image = pixels[2 * s + k]
                paths.append(f"{study}image{k + 1}.png")
                colour = s % 5 == 0
                write_picture(root / paths[-1], np.stack([image] * 3, -1) if colour else image)
    for name, lines in (("train_image_paths", paths), ("train_labeled_studies", studies)):
        (root / "MURA-v1.1" / f"{name}.csv").write_text("\n".join(lines) + "\n")


def _limbs(
    random: np.random.Generator, size: int, bones: int, broken: np.ndarray, difficulty: float
) -> np.ndarray:
    n = len(broken)
    y, x = coordinates(size, size)
    turn = column(random, -0.4, 0.4, n)
    x, y = x * np.cos(turn) - y * np.sin(turn), y * np.cos(turn) + x * np.sin(turn)
    image = 0.25 * ellipsoid((y, x), (0, 0), (1.3, 0.35 + 0.12 * bones), edge=0.3)
    which = random.integers(0, bones, (n, 1, 1))
    cut, step = column(random, -0.4, 0.4, n), column(random, 0.8, 1.2, n)
    for b in range(bones):
        at = (b - (bones - 1) / 2) * 0.32
        mine = (which == b) * broken[:, None, None]
        moved = mine * 0.16 * (1 - difficulty) * step * (y > cut)
        bone = ellipsoid((y, x), (0, at + moved), (1.1, 0.12 + 0.04 / bones))
        hollow = ellipsoid((y, x), (0, at + moved), (0.9, 0.07))
        gap = 1 - mine * 0.6 * np.exp(-(((y - cut) / 0.05) ** 2))
        image = image + (0.45 * bone - 0.15 * hollow) * gap
    image = image + 0.04 * texture(random, (size, size), 8, n)
    image += 0.02 * random.standard_normal(image.shape, np.float32)
    return image * column(random, 0.8, 1.1, n)
