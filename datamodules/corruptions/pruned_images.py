"""A training set without the images of smallest geometry score (Movahedi et al., section 5)."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from datamodules.directions import Eigenbasis, read_eigenbasis
from datamodules.errors import DataError
from datamodules.normalised import normalised
from datamodules.split import Split
from metrics.functional.alignment_score import alignment_score
from metrics.functional.eigen_geometry import eigen_geometry
from metrics.functional.geometry_checks import check_input_shape
from records.seeds import seed_for


@dataclass
class PrunedImages:
    """Removes the training images of smallest Score(x) = x^T G x / |x|^2; keeps all others.

    x is normalised per channel. Tables 1 and 2 of the paper.

    Reading it: if test accuracy falls less than under random pruning, the geometry shows which
    images matter.
    """

    fraction: float  # of the training images to remove
    by: Literal["score", "random"] = "score"  # `random` is the baseline
    # of a network: an .npz file or a callable; only `score` needs it
    geometry: str | Eigenbasis | None = None
    # remove the same fraction of each class, as the published code; else overall
    per_class: bool = True
    # each image has its own score; False assigns it another image's, drawn by seed: the published
    # code scored a shuffled loader, so its pruning is random
    aligned: bool = True

    def __post_init__(self) -> None:
        if not 0 <= self.fraction < 1:
            raise DataError(
                f"pruned_images.fraction={self.fraction}: must be at least 0 and less than 1."
            )

    def __call__(self, train: Split, test: Split, seed: int) -> tuple[Split, Split]:
        """Prune `train`, whose images keep their order."""
        if self.by == "random":
            random = np.random.default_rng(seed_for(seed, "pruned images"))
            score = torch.from_numpy(random.random(len(train)))
        else:
            shape = check_input_shape(train.x.shape[1:])
            score = geometry_scores(train, *read_eigenbasis(self.geometry, shape))
            if not self.aligned:
                random = np.random.default_rng(seed_for(seed, "shuffled scores"))
                score = score[torch.from_numpy(random.permutation(len(train)))]
        kind = train.y if self.per_class else torch.zeros_like(train.y)
        keep = torch.ones(len(train), dtype=torch.bool)
        for c in kind.unique():
            members = ((kind == c) & train.trained_on).nonzero()[:, 0]
            removed = round(self.fraction * len(members))
            if removed == len(members):
                of_class = f" of class {int(c)}" * self.per_class
                raise DataError(
                    f"pruned_images.fraction={self.fraction}: leaves none of {removed} training "
                    f"images{of_class}; lower it, or raise n."
                )
            weakest = score[members].argsort()[:removed]
            keep[members[weakest]] = False
        return train.take(keep.nonzero()[:, 0]), test


def geometry_scores(split: Split, eigenvalues: Tensor, eigenvectors: Tensor) -> Tensor:
    """Score(x) of each normalised image, (N,), from G's eigenvectors (D, R)."""
    shape = check_input_shape(split.x.shape[1:])
    geometry = eigen_geometry(eigenvalues, eigenvectors.T, shape)
    chunks = normalised(split, split.fitted)
    return torch.cat([alignment_score(x.reshape(-1, *shape), geometry) for x in chunks])
