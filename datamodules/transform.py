"""Transforms of both splits after decoding: crops, corruptions, projections."""

from collections.abc import Iterable, Mapping
from typing import Protocol

from datamodules.split import Split


class Transform(Protocol):
    """Makes new splits; anything fitted is fitted on `train.fitted`, without validation images."""

    def __call__(self, train: Split, test: Split, seed: int) -> tuple[Split, Split]:
        """Transform both; the seed is the run's."""
        ...


Transforms = Iterable[Transform] | Mapping[str, Transform]


def apply_transforms(
    transforms: Transforms, train: Split, test: Split, seed: int
) -> tuple[Split, Split]:
    """Apply the transforms in the order in which they are written.

    A mapping names them, so that the command line can set their options:
    `+corruption@data.transforms.crop=centre_crop data.transforms.crop.size=28`.
    """
    for transform in transforms.values() if isinstance(transforms, Mapping) else transforms:
        train, test = transform(train, test, seed)
    return train, test
