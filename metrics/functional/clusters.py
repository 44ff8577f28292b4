"""Points grouped by cluster, such as a data set: points of one are not independent."""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

Labels = Sequence[Hashable] | Tensor
LEAST_CLUSTERS = 4  # for any interval or p value over clusters


class Clusters(NamedTuple):
    """The cluster of every point."""

    code: Tensor  # (points,) number of its cluster: 0, 1, ... in order of appearance
    names: list[Hashable]  # (clusters,)

    @property
    def sizes(self) -> Tensor:
        """Number of points of each cluster: (clusters,) float64."""
        return torch.bincount(self.code, minlength=len(self.names)).double()

    def sums(self, values: Tensor) -> Tensor:
        """Sum over each cluster's points: (points,) to (clusters,)."""
        empty = torch.zeros(len(self.names), dtype=values.dtype, device=values.device)
        return empty.index_add(0, self.code.to(values.device), values)

    def means(self, values: Tensor) -> Tensor:
        """Mean over each cluster's points: (points,) to (clusters,).

        >>> clusters_of(["mnist", "brats", "mnist"], 3).means(torch.tensor([1.0, 2.0, 5.0]))
        tensor([3., 2.])
        """
        return self.sums(values) / self.sizes.to(values)

    def subset(self, kept: Tensor) -> "Clusters":
        """The clusters of the points where `kept` (points,) is True."""
        codes = self.code[kept.cpu()].tolist()
        return clusters_of([self.names[code] for code in codes], len(codes))


def clusters_of(labels: Labels | None, points: int) -> Clusters:
    """Number the clusters by their labels; without labels every point is its own cluster.

    Example:
        >>> clusters_of(["mnist", "brats", "mnist"], 3)
        Clusters(code=tensor([0, 1, 0]), names=['mnist', 'brats'])
    """
    if labels is None:
        return Clusters(torch.arange(points), list(range(points)))
    items = labels.tolist() if isinstance(labels, Tensor) else list(labels)
    if len(items) != points:
        raise ValueError(f"{len(items)} cluster labels for {points} points: one each is needed")
    names = list(dict.fromkeys(items))
    number = {name: code for code, name in enumerate(names)}
    return Clusters(torch.tensor([number[item] for item in items]), names)
