"""Stand-in for CIFAR-100: coloured objects in two pickled batches."""

from pathlib import Path

import numpy as np

from datamodules.readers.cifar100 import CLASSES, PYTHON
from datamodules.standins.cifar10 import dump, planes


def write(root: Path, seed: int = 1, images: int = 13000, difficulty: float = 0.5) -> None:
    """Write a training batch of `images`, and a tenth more for the test.

    There are only ten kinds of object, each for ten classes. The seed differs from CIFAR-10's, so
    that the images differ.
    """
    random = np.random.default_rng(seed)
    folder = root / PYTHON
    folder.mkdir()
    for name, count in (("train", images), ("test", images // 10)):
        labels = random.permutation(np.arange(count) % CLASSES)
        batch = {
            b"batch_label": name.encode(),
            b"fine_labels": labels.tolist(),
            b"coarse_labels": (labels // 5).tolist(),
            b"data": planes(labels % 10, random, difficulty),
            b"filenames": [f"object_{k:02d}_s_{i:06d}.png".encode() for i, k in enumerate(labels)],
        }
        dump(folder / name, batch)
    meta = {
        b"fine_label_names": [f"object {k:02d}".encode() for k in range(CLASSES)],
        b"coarse_label_names": [f"group {k:02d}".encode() for k in range(CLASSES // 5)],
    }
    dump(folder / "meta", meta)
