"""The task a data set is best known for."""

from typing import Literal

from datamodules.tasks.all import All
from datamodules.tasks.pair import Pair
from datamodules.tasks.task import Task


def default(kind: Literal["all", "pair"]) -> Task:
    """All classes, or a pair drawn by seed, as the data set's config says in `default_task`."""
    return All() if kind == "all" else Pair()
