"""A training set without the images that a network's geometry sees least (Movahedi et al., 5)."""

from typing import Literal

import numpy as np
import torch
from torch import Tensor

from datamodules.directions import Geometry, read_geometry
from datamodules.errors import DataError
from datamodules.normalised import normalised
from datamodules.split import Split
from records.seeds import seed_for


class PrunedImages:
    """Removes the training images of smallest Score(x) = x^T G x / |x|^2; the test set stays.

    Reading it: if test accuracy falls less than under random pruning, the geometry knows which
    images matter. x is normalised per channel. Tables 1 and 2 of the paper.

    Args:
        fraction: of the training images to remove.
        by: `score`, or `random` for the baseline.
        geometry: of a network: an .npz file or a callable; only `score` needs it.
        per_class: remove the same fraction of each class, as the published code; else overall.
        aligned: give every image its own score; False gives it another's, drawn by seed: the
            published code scored a shuffled loader, so that its score is random pruning.
    """

    def __init__(
        self,
        fraction: float,
        by: Literal["score", "random"] = "score",
        geometry: str | Geometry | None = None,
        per_class: bool = True,
        aligned: bool = True,
    ) -> None:
        if not 0 <= fraction < 1:
            raise DataError(f"pruned_images.fraction={fraction}: at least 0 and less than 1.")
        self.fraction, self.by = fraction, by
        self.geometry, self.per_class, self.aligned = geometry, per_class, aligned

    def __call__(self, train: Split, test: Split, seed: int) -> tuple[Split, Split]:
        """Prune `train`, whose images keep their order."""
        if self.by == "random":
            random = np.random.default_rng(seed_for(seed, "pruned images"))
            score = torch.from_numpy(random.random(len(train)))
        else:
            channels, height, width = train.x.shape[1:]
            score = geometry_score(train, *read_geometry(self.geometry, (channels, height, width)))
            if not self.aligned:
                random = np.random.default_rng(seed_for(seed, "shuffled scores"))
                score = score[torch.from_numpy(random.permutation(len(train)))]
        kind = train.y if self.per_class else torch.zeros_like(train.y)
        keep = torch.ones(len(train), dtype=torch.bool)
        for c in kind.unique():
            members = (kind == c).nonzero()[:, 0]
            weakest = score[members].argsort()[: round(self.fraction * len(members))]
            keep[members[weakest]] = False
        return train.take(keep.nonzero()[:, 0]), test


def geometry_score(split: Split, eigenvalues: Tensor, eigenvectors: Tensor) -> Tensor:
    """Score(x) = x^T G x / |x|^2 of each image, (N,), from G's eigenvalues and eigenvectors (D, R).

    Reading it: between G's smallest and largest eigenvalue; does not depend on the contrast of x.

    >>> x = torch.tensor([[1.0, 0.0], [0.0, 2.0], [-1.0, -2.0]]).reshape(3, 1, 1, 2)
    >>> split = Split(x, torch.zeros(3), torch.arange(3))
    >>> [round(float(s), 3) for s in geometry_score(split, torch.tensor([3.0, 1.0]), torch.eye(2))]
    [3.0, 1.0, 1.4]
    """
    values, vectors = eigenvalues.double(), eigenvectors.double()
    chunks = [
        (x @ vectors).square() @ values / x.square().sum(1).clamp_min(1e-300)
        for x in normalised(split, split)
    ]
    return torch.cat(chunks)
