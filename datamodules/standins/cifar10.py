"""Stand-in for CIFAR-10: coloured objects in six pickled batches."""

import pickle
import struct
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from datamodules.readers.cifar10 import CLASSES, PYTHON
from datamodules.standins.objects import objects


def write(root: Path, seed: int = 0, images: int = 13000, difficulty: float = 0.5) -> None:
    """Write five training batches with `images` in all, and a tenth more for the test."""
    random = np.random.default_rng(seed)
    folder = root / PYTHON
    folder.mkdir()
    labels = random.permutation(np.arange(images) % 10)
    for k, part in enumerate(np.array_split(labels, 5), start=1):
        _write_batch(folder / f"data_batch_{k}", part, random, difficulty)
    _write_batch(folder / "test_batch", np.arange(images // 10) % 10, random, difficulty)
    dump(folder / "batches.meta", {b"label_names": [name.encode() for name in CLASSES]})


def _write_batch(
    path: Path, labels: np.ndarray, random: np.random.Generator, difficulty: float
) -> None:
    batch = {
        b"batch_label": path.name.encode(),
        b"labels": labels.tolist(),
        b"data": planes(labels, random, difficulty),
        b"filenames": [f"{CLASSES[k]}_s_{i:06d}.png".encode() for i, k in enumerate(labels)],
    }
    dump(path, batch)


def planes(labels: np.ndarray, random: np.random.Generator, difficulty: float) -> np.ndarray:
    """Objects as CIFAR stores them: (N, 3072) uint8, the red plane first."""
    pixels = objects(labels, 32, random, difficulty)
    return np.ascontiguousarray(pixels.transpose(0, 3, 1, 2).reshape(len(labels), -1))


class _Python2Pickler(pickle._Pickler):
    """Writes bytes as Python 2 wrote its strings, as in the published files.

    Only the pure-Python pickler allows this; it is private and has no stubs.
    """

    dispatch: ClassVar = pickle._Pickler.dispatch.copy()

    def save_bytes(self, obj: bytes) -> None:
        self.write(pickle.BINSTRING + struct.pack("<i", len(obj)) + obj)  # type: ignore[attr-defined]
        self.memoize(obj)  # type: ignore[attr-defined]

    dispatch[bytes] = save_bytes  # type: ignore[assignment]


def dump(path: Path, content: dict[bytes, Any]) -> None:
    """Write a pickle in the form of Python 2."""
    with path.open("wb") as file:
        _Python2Pickler(file, protocol=2).dump(content)
