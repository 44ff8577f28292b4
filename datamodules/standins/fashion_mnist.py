"""Stand-in for Fashion-MNIST: grey objects in four packed IDX files."""

from pathlib import Path

import numpy as np

from datamodules.standins.mnist import write_idx
from datamodules.standins.objects import objects


def write(root: Path, seed: int = 0, images: int = 13000, difficulty: float = 0.5) -> None:
    """Write `images` for training, equally many of each class, and a tenth more for the test."""
    random = np.random.default_rng(seed)
    for part, count in (("train", images), ("t10k", images // 10)):
        labels = random.permutation(np.arange(count) % 10)
        pixels = objects(labels, 28, random, difficulty, channels=1, ground=0.2)
        write_idx(root, part, pixels, labels)
