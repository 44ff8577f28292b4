"""A stand-in for CheXpert: two lungs, ribs and a heart; an effusion fills a lung from below."""

from pathlib import Path

import numpy as np
import pandas as pd

from datamodules.readers.chexpert import FINDINGS
from datamodules.standins.anatomy import column, coordinates, ellipsoid, gray, texture
from datamodules.standins.pictures import write_picture

ROOT = "CheXpert-v1.0-small"
VALUES = ("1.0", "0.0", "-1.0", "")  # present, absent, uncertain, not mentioned


def write(
    root: Path, seed: int = 0, images: int = 2600, difficulty: float = 0.3, size: int = 64
) -> None:
    """Write radiographs and `train.csv`, with all four kinds of label and lateral views.

    As many reports state an absent effusion as do not mention it, so that every label policy finds
    `images` frontal ones, balanced; of the radiographs with an uncertain effusion, half have it.
    """
    random = np.random.default_rng(seed)
    half = images // 2
    said = np.repeat(VALUES, [half + 110, half + 110, half // 10, half + 110])
    random.shuffle(said)
    present = (said == "1.0") | ((said == "-1.0") & (random.random(len(said)) < 0.5))
    patient = np.sort(random.integers(1, len(said) // 3, len(said)))
    study = np.zeros(len(said), int)
    rows = []
    for start in range(0, len(said), 512):
        part = slice(start, start + 512)
        pictures = gray(_chests(random, size, present[part], difficulty))
        for i, picture in enumerate(pictures, start=start):
            study[i] = study[i - 1] + 1 if i and patient[i] == patient[i - 1] else 1
            folder = f"train/patient{patient[i]:05d}/study{study[i]}"
            views = [("view1_frontal.jpg", "Frontal", picture)]
            if random.random() < 0.1:
                views.append(("view2_lateral.jpg", "Lateral", picture[:, ::-1]))
            for name, view, pixels in views:
                write_picture(root / ROOT / folder / name, pixels)
                others = dict(zip(FINDINGS, random.choice(VALUES, len(FINDINGS)), strict=True))
                path = {"Path": f"{ROOT}/{folder}/{name}", "Sex": "Female", "Age": 60}
                path |= {"Frontal/Lateral": view, "AP/PA": "AP" if view == "Frontal" else ""}
                rows.append(path | others | {"Pleural Effusion": said[i]})
    pd.DataFrame(rows).to_csv(root / ROOT / "train.csv", index=False)


def _chests(
    random: np.random.Generator, size: int, present: np.ndarray, difficulty: float
) -> np.ndarray:
    y, x = coordinates(size, size)
    n = len(present)
    level, broad = column(random, -0.1, 0.1, n), column(random, 0.3, 0.36, n)
    lungs = [ellipsoid((y, x), (level, side * 0.42), (0.68, broad)) for side in (-1, 1)]
    heart = ellipsoid((y, x), (0.3, 0.12), (0.35, column(random, 0.25, 0.35, n)), edge=0.4)
    ribs = 0.06 * np.sin((y + 0.25 * x**2) * column(random, 20, 26, n))
    image = 0.75 + 0.04 * texture(random, (size, size), 8, n) - 0.5 * (lungs[0] + lungs[1])
    image = image + ribs * (lungs[0] + lungs[1]) + 0.3 * heart
    surface = column(random, 0.05, 0.35, n)
    filled = ((y - surface) / 0.15).clip(0, 1)
    left = random.random((n, 1, 1)) < 0.5
    fluid = filled * np.where(left, lungs[0], lungs[1]) * present[:, None, None]
    image += 0.5 * (1 - difficulty) * fluid
    image += 0.03 * random.standard_normal(image.shape, np.float32)
    return image * column(random, 0.85, 1.0, n)
