"""Images mixed with images of a second data set (Brandao et al. 2023)."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import torch
from torch import Tensor

from datamodules.base import DataSettings
from datamodules.errors import DataError
from datamodules.split import Split
from metrics.functional.principal_axes import PrincipalAxes


@dataclass
class DatasetNoise:
    r"""x' = (x + z_k) / 2, where z_k is an image of the second set from its first k components.

    Reading it: more components are more noise. k = 0 is no noise at all, x' = x; with all
    components x' is the plain average of the two images. k is a number of components, not a weight:
    even k = 1 halves the contrast of x.
    """

    # makes the second data set, given `n`, `test_n`, `size`, `channels`, `seed` and `batch_size`;
    # image i is mixed with its image i
    other: Callable[..., DataSettings]
    components: int  # k
    # `train`: components of the second set's training images, for both splits; `apart`: each split
    # has its own components, as in the published code
    fit: Literal["train", "apart"] = "train"
    # `clip` cuts z_k at black and white; `stretch` scales every channel of every z_k to the full
    # range, as the published code does, so that few components have more weight
    contrast: Literal["clip", "stretch"] = "clip"

    def __post_init__(self) -> None:
        if self.components < 0:
            raise DataError(f"dataset_noise.components={self.components}: 0 (no noise) or more.")

    def __call__(self, train: Split, test: Split, seed: int) -> tuple[Split, Split]:
        """Mix both splits; the second set is not opened for k = 0."""
        if self.components == 0:
            return train, test
        second = self.other(
            n=len(train),
            test_n=len(test),
            channels=train.x.shape[1],
            size=train.x.shape[-1],
            seed=seed,
            batch_size=1,
        ).module()
        second.setup()
        axes = self._axes(second.train)
        test_axes = axes if self.fit == "train" else self._axes(second.test)
        return self._mixed(train, second.train, axes), self._mixed(test, second.test, test_axes)

    def _axes(self, split: Split) -> PrincipalAxes:
        limit = min(len(split), split.x[0].numel())
        if self.components > limit:
            raise DataError(
                f"dataset_noise.components={self.components}: {len(split)} images of "
                f"{split.x[0].numel()} values have at most {limit}; use fewer, or raise n."
            )
        return PrincipalAxes(split.images().flatten(1))

    def _mixed(self, split: Split, second: Split, axes: PrincipalAxes) -> Split:
        index = torch.arange(min(self.components, axes.rank))
        z = axes.project(second.images().flatten(1), index) + axes.mean.float()
        z = self._contrasted(z.reshape(second.x.shape))
        return replace(split, x=split.stored((split.images() + z) / 2))

    def _contrasted(self, z: Tensor) -> Tensor:
        if self.contrast == "clip":
            return z.clamp(0, 1)
        low, high = z.amin((2, 3), keepdim=True), z.amax((2, 3), keepdim=True)
        return (z - low) / (high - low).clamp_min(torch.finfo(z.dtype).eps)
