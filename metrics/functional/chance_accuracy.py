"""The accuracy that a classifier can reach without its input."""

from dataclasses import dataclass

import numpy as np
from scipy import special  # torch has no binomial distribution function
from torch import Tensor

from metrics.functional.checks import check_labels, check_tensor


@dataclass(frozen=True)
class ChanceAccuracy:
    """Accuracy of always predicting the most frequent class."""

    majority: float  # share of the most frequent class
    bound: float  # exceeded in 2.5 % of cases by a classifier that is right with that probability
    images: int


def chance_accuracy(y: Tensor) -> ChanceAccuracy:
    """The most frequent class's share of the labels, and its binomial upper bound.

        p = max_c #{y = c} / n,    bound = min{k : P(Bin(n, p) <= k) >= 0.975} / n

    Reading it: an accuracy at or below the bound is within chance, and measurements of such a
    network (attack penalties, certificates) say nothing about a trained one.

    Example:
        >>> import torch
        >>> chance_accuracy(torch.arange(100) % 2)
        ChanceAccuracy(majority=0.5, bound=0.6, images=100)
    """
    n = len(check_tensor("y", y))
    if n == 0:
        raise ValueError("0 labels: the chance of guessing them is not defined")
    counts = check_labels("y", y, n).unique(return_counts=True)[1]
    majority = int(counts.max()) / n
    reached = special.bdtr(np.arange(n + 1.0), n, majority)  # P(Bin <= k)
    return ChanceAccuracy(majority, int(np.searchsorted(reached, 0.975)) / n, n)
