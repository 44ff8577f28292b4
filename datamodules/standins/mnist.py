"""Stand-in for MNIST: drawn digits in four packed IDX files."""

import gzip
from pathlib import Path

import numpy as np

from datamodules.standins.digit_drawings import draw_digits


def write(root: Path, seed: int = 0, images: int = 13000, difficulty: float = 0.5) -> None:
    """Write `images` for training, equally many of each digit, and a tenth more for the test."""
    random = np.random.default_rng(seed)
    for part, count in (("train", images), ("t10k", images // 10)):
        labels = random.permutation(np.arange(count) % 10)
        pixels = (draw_digits(labels, 28, random, difficulty) * 255).astype(np.uint8)
        write_idx(root, part, pixels, labels)


def write_idx(root: Path, part: str, pixels: np.ndarray, labels: np.ndarray) -> None:
    """Write `<part>-images-idx3-ubyte.gz` and `<part>-labels-idx1-ubyte.gz`."""
    for kind, array in (("images-idx3", pixels), ("labels-idx1", labels)):
        header = bytes([0, 0, 8, array.ndim]) + np.array(array.shape, ">u4").tobytes()
        content = header + array.astype(np.uint8).tobytes()
        packed = gzip.compress(content, compresslevel=1, mtime=0)
        (root / f"{part}-{kind}-ubyte.gz").write_bytes(packed)
