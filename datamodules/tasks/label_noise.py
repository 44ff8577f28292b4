"""Labels redrawn for a fraction of the images (Zhang et al. 2017, Brandao et al. 2023)."""

from dataclasses import replace

import numpy as np
import torch

from datamodules.split import Split
from records.seeds import seed_for


def corrupt_labels(split: Split, noise: float, classes: int, seed: int, part: str) -> Split:
    """Give a fraction p = `noise` of the images a label drawn uniformly from all C classes.

    P(y' = y) = 1 - p + p / C, because the old label can be drawn again, so p (1 - 1/C) change.

    Reading it: `clean_y` has the true labels and `corrupted` marks the changed ones. Which images
    are redrawn depends on (seed, part, position) only: those redrawn at p are redrawn at every
    larger p, and a smaller n uses the first n of the same draws. `part` is `train` or `test`.

    >>> y = torch.arange(1000) % 2
    >>> noisy = corrupt_labels(Split(torch.zeros(1000, 1, 1, 1), y, y), 1.0, 2, 0, "train")
    >>> bool(450 < noisy.corrupted.sum() < 550), bool((noisy.clean_y == y).all())
    (True, True)
    """
    if noise == 0:
        return split
    hit, label = (
        np.random.default_rng(seed_for(seed, "label noise", part, what)).random(len(split))
        for what in ("hit", "label")
    )
    drawn = torch.from_numpy((label * classes).astype(np.int64))
    y = torch.where(torch.from_numpy(hit < noise), drawn, split.y)
    return replace(split, y=y, clean_y=split.y if split.clean_y is None else split.clean_y)
