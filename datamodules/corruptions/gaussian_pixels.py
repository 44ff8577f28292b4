"""Gaussian noise in place of the images."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from datamodules.channel_statistics import channel_statistics
from datamodules.split import Split
from records.seeds import seed_for

ROWS = 64  # images drawn at once: 77 MB at 224 x 224 x 3


@dataclass
class GaussianPixels:
    """Every pixel is drawn from N(mean, std^2) of the training images (Zhang et al. 2017).

    Reading it: labels stay, so all of them have to be memorised. Pixels are clipped at black and
    white, which slightly lowers the deviation of high-contrast sets.
    """

    # mean and std of each `channel`, or of each `pixel` position
    match: Literal["channel", "pixel"] = "channel"

    def __call__(self, train: Split, test: Split, seed: int) -> tuple[Split, Split]:
        """Replace both splits, with the statistics of `train`."""
        mean, std = self._statistics(train.fitted)
        drawn = self._drawn(train, mean, std, seed, "train")
        return drawn, self._drawn(test, mean, std, seed, "test")

    def _statistics(self, train: Split) -> tuple[Tensor, Tensor]:
        if self.match == "channel":
            mean, std = channel_statistics(train.x)
            return torch.tensor(mean).reshape(-1, 1, 1), torch.tensor(std).reshape(-1, 1, 1)
        images = train.images()
        return images.mean(0), images.std(0, correction=0)

    def _drawn(self, split: Split, mean: Tensor, std: Tensor, seed: int, part: str) -> Split:
        random = np.random.default_rng(seed_for(seed, "gaussian pixels", part))
        chunks = []
        for x in split.x.split(ROWS):
            draws = torch.from_numpy(random.standard_normal(x.shape, dtype=np.float32))
            chunks.append(split.stored(mean + std * draws))
        return replace(split, x=torch.cat(chunks))
