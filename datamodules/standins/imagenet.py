"""Stand-in for ImageNet: JPEG files of coloured objects in Kaggle's tree."""

from pathlib import Path

import numpy as np
from PIL import Image

from datamodules.standins.objects import objects

CLASSES = ("n01440764", "n01443537", "n02084071", "n02121808")


def write(
    root: Path, seed: int = 0, images: int = 5200, difficulty: float = 0.5, size: int = 48
) -> None:
    """Write `images` of four classes, and 40 of a fifth: too few to be drawn.

    `size` is of the shorter side.
    """
    random = np.random.default_rng(seed)
    train = root / "ILSVRC" / "Data" / "CLS-LOC" / "train"
    counts = [*[images // len(CLASSES)] * len(CLASSES), 40]
    for kind, (name, count) in enumerate(zip((*CLASSES, "n02504458"), counts, strict=True)):
        folder = train / name
        folder.mkdir(parents=True)
        pixels = objects(np.full(count, 2 * kind), size * 5 // 4, random, difficulty)
        for k, picture in enumerate(pixels):  # wide and high pictures, like photographs
            cut = picture[:size] if k % 2 else picture[:, :size]
            Image.fromarray(cut).save(folder / f"{name}_{k}.JPEG", quality=85)
