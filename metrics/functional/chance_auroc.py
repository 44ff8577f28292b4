"""The AUROC that random scores may reach."""

import math

from torch import Tensor


def chance_auroc(y: Tensor) -> float:
    """The AUROC that random scores exceed in 2.5 % of tests, for the rarest class of labels.

        0.5 + 1.96 sqrt((N + 1) / (12 a b))    for a images of the rarest class and b others

    by the variance of the Mann-Whitney statistic. Reading it: a network whose AUROC is not above it
    may rank by chance. Above 1 no AUROC shows anything; infinite for a single class.

    Example:
        >>> import torch
        >>> round(chance_auroc(torch.tensor([0, 1] * 50)), 2)
        0.61
        >>> round(chance_auroc(torch.tensor([0] * 49 + [1])), 2)
        1.08
    """
    fewest = int(y.unique(return_counts=True)[1].min())
    others = len(y) - fewest
    if not others:
        return math.inf
    return 0.5 + 1.96 * math.sqrt((len(y) + 1) / (12 * fewest * others))
