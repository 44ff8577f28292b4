"""The images of one split as tensors, with labels, sources and groups."""

from dataclasses import dataclass, fields
from functools import cached_property
from typing import NamedTuple

import torch
from torch import Tensor


class Batch(NamedTuple):
    """Input of a training step."""

    x: Tensor  # (B, C, H, W) float32, pixels in [0, 1]
    y: Tensor  # (B,) int64
    index: Tensor  # type: ignore[assignment]  # (B,) position in the split; hides tuple.index
    weight: float = 1.0  # of this process's mean loss in the global one; 0: not counted


@dataclass(frozen=True)
class Split:
    """Images as they are cached or generated; batches are sliced from them."""

    x: Tensor  # (N, C, H, W) uint8 (memory-mapped) or float32 (synthetic)
    y: Tensor  # (N,) int64: training labels
    source: Tensor  # (N,) int64: the image's number in the reader's listing
    group: Tensor | None = None  # (N,) int64: patient, lesion, knee
    clean_y: Tensor | None = None  # (N,) labels before corruption, where some were corrupted
    set_aside: Tensor | None = None  # (N,) True for images of the validation set, until taken out

    def __len__(self) -> int:
        return len(self.y)

    def images(self, index: Tensor | slice | None = None) -> Tensor:
        """Float images of the given positions (all by default), pixels in [0, 1].

        Positions are int64, from 0 to N - 1, on the images' device.
        """
        if isinstance(index, Tensor):
            x = self.x.index_select(0, index)  # copies rows: 7 times as fast as x[index] for uint8
        else:
            x = self.x if index is None else self.x[index]
        return x.to(torch.float32).div_(255) if x.dtype == torch.uint8 else x

    def stored(self, images: Tensor) -> Tensor:
        """The inverse of `images`: float images in the form of `x`, as levels if uint8."""
        if self.x.dtype != torch.uint8:
            return images
        return (images * 255).round().clamp(0, 255).to(torch.uint8)

    def take(self, index: Tensor) -> "Split":
        """The split of these positions alone."""
        columns = {f.name: getattr(self, f.name) for f in fields(self)}
        taken = {name: column[index] for name, column in columns.items() if column is not None}
        return Split(**taken)

    @property
    def trained_on(self) -> Tensor:
        """(N,) True for all images except those set aside."""
        none = torch.zeros(len(self), dtype=torch.bool)
        return ~(none if self.set_aside is None else self.set_aside)

    @property
    def fitted(self) -> "Split":
        """The images that transforms and labels are fitted on: those that are trained on."""
        return self if self.set_aside is None else self.take(self.trained_on)

    def batch(self, index: Tensor) -> Batch:
        """The batch at these positions."""
        return Batch(self.images(index), self.y[index], index)

    @cached_property
    def corrupted(self) -> Tensor:
        """(N,) True where the label trained on is not the clean one."""
        return self.y != (self.y if self.clean_y is None else self.clean_y)
