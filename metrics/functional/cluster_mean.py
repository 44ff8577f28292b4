"""Mean of clustered points, with an interval over clusters, not over points."""

import math

from torch import Tensor

from metrics.functional.clusters import LEAST_CLUSTERS, Clusters
from metrics.functional.estimate import Estimate, student_quantile


def cluster_mean(values: Tensor, clusters: Clusters, confidence: float = 0.95) -> Estimate:
    """Mean over points with its cluster-robust Student t interval.

        mean +- t_{G-1} sqrt(G/(G-1) sum_g (sum_{i in g} (x_i - mean))^2) / n

    Reading it: with one point per cluster this is `Estimate.of_mean`. It keeps its coverage with
    few clusters, where percentiles of resampled clusters do not. Fewer than 4 have no interval.

    Example:
        >>> import torch
        >>> from metrics.functional.clusters import clusters_of
        >>> points = torch.tensor([1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0])
        >>> cluster_mean(points, clusters_of([0, 0, 1, 1, 2, 2, 3, 3], 8)).high   # 2.5 + 3.18 0.645
        4.55...
    """
    count = len(clusters.names)
    mean = float(values.double().mean())
    if count < LEAST_CLUSTERS:
        return Estimate.unknown(mean)
    squares = float(clusters.sums(values.double() - mean).square().sum())
    error = math.sqrt(count / (count - 1) * squares) / len(values)
    return Estimate.of(mean, student_quantile(count - 1, confidence) * error, confidence)
