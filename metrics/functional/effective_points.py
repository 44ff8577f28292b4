"""The effective number of independent pairs among clustered pairs."""

from torch import Tensor

from metrics.functional.clusters import Clusters

LEAST_FOR_ICC = 8  # clusters: with fewer the intraclass correlation is too noisy to rely on


def intraclass_correlation(values: Tensor, clusters: Clusters) -> float:
    """Share of the variance that is between clusters, 0 to 1 (one-way analysis of variance).

        ICC = (MSB - MSW) / (MSB + (m - 1) MSW),   m the mean size of a cluster

    Reading it: 1 means that points of one cluster repeat each other, 0 that they are independent.

    Example:
        >>> import torch
        >>> from metrics.functional.clusters import clusters_of
        >>> intraclass_correlation(torch.tensor([1.0, 1.0, 5.0, 5.0]), clusters_of([0, 0, 1, 1], 4))
        1.0
    """
    points, count, sizes = len(values), len(clusters.names), clusters.sizes
    if count < 2 or points == count:
        return 1.0
    values = values.double().cpu()
    means = clusters.means(values)
    between = float((sizes * (means - values.mean()) ** 2).sum()) / (count - 1)
    within = float((values - means[clusters.code]).square().sum()) / (points - count)
    m = (points - float(sizes.square().sum()) / points) / (count - 1)
    total = between + (m - 1) * within
    return min(max((between - within) / total, 0.0), 1.0) if total > 0 else 1.0


def effective_points(x: Tensor, y: Tensor, clusters: Clusters) -> float:
    """Number of independent pairs that would determine the correlation of x and y equally well.

        n_eff = n / (1 + (m - 1) ICC_x ICC_y),   m = sum_g n_g^2 / n        (Kish 1965)

    It lies between the number of clusters and that of points. With fewer than 8 clusters the
    intraclass correlation is too uncertain: then a cluster counts as one pair, which is
    conservative.

    Example:
        >>> import torch
        >>> from metrics.functional.clusters import clusters_of
        >>> x = torch.arange(10.0).repeat(3)   # ten data sets, each measured three times
        >>> effective_points(x, x, clusters_of(x, 30))
        10.0
    """
    points, count = len(x), len(clusters.names)
    if count < LEAST_FOR_ICC or points == count:
        return float(count)
    m = float(clusters.sizes.square().sum()) / points
    shared = intraclass_correlation(x, clusters) * intraclass_correlation(y, clusters)
    return min(max(points / (1 + (m - 1) * shared), float(count)), float(points))
