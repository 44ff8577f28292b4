"""A permutation of the pixels for each image."""

from dataclasses import replace

import numpy as np
import torch

from datamodules.split import Split
from records.seeds import seed_for

NUMBERS = 2**22  # drawn at once: 32 MB


class RandomPixels:
    """Permutes the pixels of every image in its own way; the channels of a pixel stay together.

    Reading it: only the histogram of an image is left to learn from (Zhang et al. 2017).
    """

    def __call__(self, train: Split, test: Split, seed: int) -> tuple[Split, Split]:
        """Permute each image of both splits."""
        return self._permuted(train, seed, "train"), self._permuted(test, seed, "test")

    def _permuted(self, split: Split, seed: int, part: str) -> Split:
        # draws come image after image, so the first n images are the same for every n
        random = np.random.default_rng(seed_for(seed, "random pixels", part))
        pixels = split.x[0, 0].numel()
        chunks = []
        for x in split.x.flatten(2).split(max(1, NUMBERS // pixels)):
            order = torch.from_numpy(random.random((len(x), pixels)).argsort(1))
            chunks.append(x.gather(2, order[:, None].expand(x.shape)))
        return replace(split, x=torch.cat(chunks).reshape(split.x.shape))
