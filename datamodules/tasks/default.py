"""The usual task of a data set."""

from typing import Literal

from datamodules.tasks.all import All
from datamodules.tasks.pair import Pair
from datamodules.tasks.task import Task


def default(
    kind: Literal["all", "pair"],
    noise: float = 0.0,
    test_noise: bool = False,
    slip: bool = False,
) -> Task:
    """All classes, or a pair drawn by seed, by `default_task` of the data set's config."""
    if kind == "all":
        return All(noise=noise, test_noise=test_noise)
    return Pair(noise=noise, test_noise=test_noise, slip=slip)
