"""One permutation of the pixels, the same for all images."""

from dataclasses import replace

import numpy as np
import torch

from datamodules.split import Split
from records.seeds import seed_for


class ShuffledPixels:
    """Permutes pixels by seed; the channels of a pixel stay together.

    Reading it: a network without spatial structure (an MLP) loses nothing, a convolutional one
    loses all local structure (Zhang et al. 2017).
    """

    def __call__(self, train: Split, test: Split, seed: int) -> tuple[Split, Split]:
        """Permute both splits alike."""
        random = np.random.default_rng(seed_for(seed, "shuffled pixels"))
        order = torch.from_numpy(random.permutation(train.x[0, 0].numel()))

        def shuffled(split: Split) -> Split:
            return replace(split, x=split.x.flatten(2)[..., order].reshape(split.x.shape))

        return shuffled(train), shuffled(test)
