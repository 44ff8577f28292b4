"""Groups of classes against each other: animals against the rest."""

from collections.abc import Sequence

import numpy as np

from datamodules.errors import DataError
from datamodules.reader import Listing
from datamodules.tasks.class_position import class_position
from datamodules.tasks.task import Labels, Task


class Group(Task):
    """One label per group; classes in no group are left out.

    CIFAR-2 of Movahedi et al. is `groups=[[2, 3, 4, 5, 6, 7]]`: the animals are class 0, the rest
    class 1.

    Args:
        groups: lists of class names or numbers, in the order of the labels. A single list is
            compared with all other classes.
        names: of the groups; None joins the names of their classes.
        balanced: equal numbers per group.
        noise, test_noise: see `Task`.
    """

    def __init__(
        self,
        groups: Sequence[Sequence[str | int]],
        names: Sequence[str] | None = None,
        balanced: bool = True,
        noise: float = 0.0,
        test_noise: bool = False,
    ) -> None:
        super().__init__(noise, test_noise)
        self.groups = [list(group) for group in groups]
        if not self.groups or not all(self.groups):
            raise DataError(f"task.groups={self.groups}: every group needs at least one class.")
        if names is not None and len(names) != max(len(self.groups), 2):
            raise DataError(
                f"task.names={list(names)}: {max(len(self.groups), 2)} groups need as many names."
            )
        self.names = names
        self.balanced = balanced

    def labels(self, listing: Listing, seed: int) -> Labels:
        """Label g for the classes of group g."""
        groups = [
            [class_position(name, listing.classes, "task.groups") for name in group]
            for group in self.groups
        ]
        if len(groups) == 1:
            groups.append([c for c in range(len(listing.classes)) if c not in groups[0]])
            if not groups[1]:
                raise DataError(
                    "task.groups: the only group contains every class; leave at least one out."
                )
        label = np.full(len(listing.classes), -1)
        for number, group in enumerate(groups):
            for c in group:
                if label[c] >= 0:
                    raise DataError(f"task.groups: class `{listing.classes[c]}` is in two groups.")
                label[c] = number
        index = np.flatnonzero((listing.labels >= 0) & (label[listing.labels] >= 0))
        names = self.names or ["+".join(listing.classes[c] for c in group) for group in groups]
        return Labels(
            index, label[listing.labels[index]].astype(np.int64), tuple(names), self.balanced
        )
