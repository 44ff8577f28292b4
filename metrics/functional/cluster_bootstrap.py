"""Resampling whole clusters: points of one data set are not independent of each other."""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

Labels = Sequence[Hashable] | Tensor


class Clusters(NamedTuple):
    """Points by cluster."""

    code: Tensor  # (points,) number of each point's cluster, 0, 1, ... in order of appearance
    names: list[Hashable]  # (clusters,)

    def sums(self, values: Tensor) -> Tensor:
        """Sum over each cluster's points: (points,) to (clusters,)."""
        empty = torch.zeros(len(self.names), dtype=values.dtype, device=values.device)
        return empty.index_add(0, self.code.to(values.device), values)

    def subset(self, kept: Tensor) -> "Clusters":
        """The clusters of some of the points: (points,) bool."""
        codes = self.code[kept.cpu()].tolist()
        return clusters_of([self.names[code] for code in codes], len(codes))


def clusters_of(labels: Labels | None, points: int) -> Clusters:
    """Number the clusters; without labels every point is its own.

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


def bootstrap_weights(strata: Labels, resamples: int, seed: int) -> Tensor:
    """How often each cluster is drawn in every resample, with replacement, stratum by stratum.

    Reading it: a statistic made of sums over clusters is resampled by one matrix product with
    these weights. Strata (domains) keep their number of clusters in every resample.

    Args:
        strata: (clusters,) stratum of each cluster; all the same for a plain bootstrap.
        resamples: Number of resamples.
        seed: Of the draw.

    Returns:
        (resamples, clusters) float64 whose rows sum to the number of clusters.

    Raises:
        ValueError: If there is one cluster only, or no resample is asked for.

    Example:
        >>> bootstrap_weights(["natural", "natural", "medical"], resamples=3, seed=0)[:, 2].tolist()
        [1.0, 1.0, 1.0]
    """
    if resamples < 1:
        raise ValueError(f"resamples={resamples} must be at least 1; 1000 is usual")
    if len(strata) < 2:
        raise ValueError(
            f"{len(strata)} cluster: its spread cannot be resampled; bring a second data set, or "
            "leave the groups out if the points are independent"
        )
    generator = torch.Generator().manual_seed(seed)
    by_stratum = clusters_of(strata, len(strata))
    weights = torch.zeros(resamples, len(strata), dtype=torch.float64)
    for stratum in range(len(by_stratum.names)):
        members = (by_stratum.code == stratum).nonzero()[:, 0]
        drawn = torch.randint(len(members), (resamples, len(members)), generator=generator)
        weights.scatter_add_(1, members[drawn], torch.ones_like(drawn, dtype=torch.float64))
    return weights
