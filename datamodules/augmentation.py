"""Random augmentation of training batches."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass
class Augmentation:
    """Crop, flip, erase and add noise, as Prach & Lampert 2025 do, in this order.

    Each image has its own crop, flip and box. Everything is drawn for the whole batch from its
    seed, so the augmentation does not depend on the number of processes or on resuming.

    Reading it: with `same_on_batch` all images of a batch share one crop, one flip and one box. The
    published code does so, unintentionally.

    Example:
        >>> shift = Augmentation(crop=1, flip=False, erase=0)
        >>> x = torch.arange(9.0).view(1, 1, 3, 3)
        >>> shift(x, fill=[0.0], seed=3)   # to the left; what comes in mirrors its neighbour
        tensor([[[[1., 2., 1.],
                  [4., 5., 4.],
                  [7., 8., 7.]]]])
    """

    crop: int = 4  # largest shift in pixels, in each direction; pixels from outside are reflected
    flip: bool = True  # mirror left and right with probability 1/2
    erase: float = 0.25  # side of a square set to the mean colour, as a share of the image's side
    # standard deviation of Gaussian noise on every pixel, not clipped, as randomised smoothing
    # needs it; always drawn for each image
    noise: float = 0.0
    same_on_batch: bool = False  # draw once for all images of a batch

    def __post_init__(self) -> None:
        if self.crop < 0 or not 0 <= self.erase <= 1 or not self.noise >= 0:
            raise ValueError(
                f"crop={self.crop}, erase={self.erase}, noise={self.noise}: "
                "need crop >= 0, erase in [0, 1] and noise >= 0"
            )

    def __call__(
        self,
        x: Tensor,
        fill: Sequence[float],
        seed: int,
        place: Tensor | None = None,
        batch: int | None = None,
    ) -> Tensor:
        """Return augmented copies of images x (B, C, H, W).

        `fill` is the mean of each channel. `place` (B,) are the positions of these images among
        the `batch` images of the whole batch; by default x is the whole batch.
        """
        height, width = x.shape[-2:]
        if self.crop >= min(height, width):
            raise ValueError(
                f"crop={self.crop} reflects more than images of {height} x {width} px have; "
                f"use crop={min(height, width) - 1} or less"
            )
        place = torch.arange(len(x)) if place is None else place
        batch = len(x) if batch is None else batch
        generator = torch.Generator().manual_seed(seed)

        def draw(most: int) -> Tensor:
            """(B, 1) whole numbers from 0 to `most`."""
            drawn = torch.randint(most + 1, (batch, 1), generator=generator)
            return (drawn[:1].expand(batch, 1) if self.same_on_batch else drawn)[place]

        rows = _reflect(torch.arange(height) + draw(2 * self.crop) - self.crop, height)
        columns = _reflect(torch.arange(width) + draw(2 * self.crop) - self.crop, width)
        mirrored = draw(1).bool() if self.flip else torch.zeros(len(x), 1, dtype=torch.bool)
        columns = torch.where(mirrored, columns.flip(1), columns)
        image = torch.arange(len(x))[:, None, None]
        changed = x[image, :, rows[:, :, None], columns[:, None, :]].permute(0, 3, 1, 2)
        if self.erase:
            tall, wide = round(self.erase * height), round(self.erase * width)
            down = _inside(height, draw(height - tall), tall)
            across = _inside(width, draw(width - wide), wide)
            box = (down[:, None, :, None] & across[:, None, None, :]).to(x.device)
            changed = torch.where(box, torch.tensor(list(fill)).to(x)[:, None, None], changed)
        if self.noise:
            noise = torch.randn((batch, *x.shape[1:]), generator=generator)[place]
            changed = changed + self.noise * noise.to(x)
        return changed


def _reflect(index: Tensor, size: int) -> Tensor:
    """Positions outside 0..size - 1, mirrored at the first or last pixel."""
    index = index.abs()
    return torch.where(index < size, index, 2 * (size - 1) - index)


def _inside(size: int, start: Tensor, length: int) -> Tensor:
    """(B, size) True from `start` on, for `length` pixels."""
    position = torch.arange(size)
    return (position >= start) & (position < start + length)
