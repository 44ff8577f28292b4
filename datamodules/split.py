"""The images of one split as tensors, with everything known of each."""

from dataclasses import dataclass, fields
from functools import cached_property
from typing import NamedTuple

import torch
from torch import Tensor


class Batch(NamedTuple):
    """What a training step gets."""

    x: Tensor  # (B, C, H, W) float32, pixels in [0, 1]
    y: Tensor  # (B,) int64
    index: Tensor  # (B,) position in the split
    weight: float = 1.0  # of this process's mean loss in the global one; 0: not to be counted


@dataclass(frozen=True)
class Split:
    """Images held once, as they lie in the cache; batches are sliced from them."""

    x: Tensor  # (N, C, H, W) uint8 (memory-mapped) or float32 (synthetic)
    y: Tensor  # (N,) int64: what is trained on
    source: Tensor  # (N,) int64: the image's number in the reader's listing
    group: Tensor | None = None  # (N,) int64: patient, lesion, knee
    clean_y: Tensor | None = None  # (N,) labels before corruption, where some were corrupted

    def __len__(self) -> int:
        return len(self.y)

    def images(self, index: Tensor | slice | None = None) -> Tensor:
        """Float images of the given positions (all by default), pixels in [0, 1]."""
        x = self.x if index is None else self.x[index]
        return x.to(torch.float32).div_(255) if x.dtype == torch.uint8 else x

    def stored(self, images: Tensor) -> Tensor:
        """The way back from `images`: float images as they would lie here, in levels if uint8."""
        if self.x.dtype != torch.uint8:
            return images
        return (images * 255).round().clamp(0, 255).to(torch.uint8)

    def take(self, index: Tensor) -> "Split":
        """The split of these positions alone."""
        rows = {f.name: getattr(self, f.name) for f in fields(self)}
        return Split(**{name: None if row is None else row[index] for name, row in rows.items()})

    def batch(self, index: Tensor) -> Batch:
        """The batch at these positions."""
        return Batch(self.images(index), self.y[index], index)

    @cached_property
    def corrupted(self) -> Tensor:
        """(N,) True where the label trained on is not the clean one."""
        return (
            torch.zeros(len(self), dtype=torch.bool)
            if self.clean_y is None
            else self.y != self.clean_y
        )
